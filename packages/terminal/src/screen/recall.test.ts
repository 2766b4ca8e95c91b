import { expect, test } from "vitest";
import { createRecall } from "./screen.ts";

test("what was said is found by a part of it, newest first, then older; another part begins anew", () => {
  const recall = createRecall();
  for (const text of ["buy milk", "Milk and oats", "read a book", "buy milk"]) recall.remember(text);
  expect(recall.search("milk")).toBe("buy milk");
  expect(recall.search("buy milk")).toBe("Milk and oats");
  expect(recall.search("Milk and oats")).toBeUndefined();
  expect(recall.search("book")).toBe("read a book");
  expect(recall.search("")).toBe("buy milk");
  expect(recall.search("nowhere")).toBeUndefined();
});
