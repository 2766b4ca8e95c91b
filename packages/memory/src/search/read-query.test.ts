import { expect, test } from "vitest";
import { readQuery } from "./read-query.ts";

function read(question: string): string[] {
  return readQuery(question).terms.map(({ terms, isExact }) => terms.join(" ") + (isExact ? "!" : ""));
}

test("[M12] leaves stop words out, unless there is nothing else", () => {
  expect(read("When did Anna go to the lakes?")).toEqual(["anna", "go", "lake"]);
  expect(read("Wann war ich in Wien?")).toEqual(["wann", "wien"]);
  expect(read("what is it")).toEqual(["what", "is", "it"]);
  expect(read("?!")).toEqual([]);
});

test("[M12] looks for identifiers and quoted words as a whole, and for their parts", () => {
  expect(read("invoice INV-2024/17")).toEqual(["inv 2024 17!", "invoic", "inv", "2024", "17"]);
  expect(read('who said "new flat"?')).toEqual(["new flat!", "say", "new", "flat"]);
  expect(read("flight OS451")).toEqual(["os451!", "flight"]);
});

test("[M12] a question as long as a book is cut", () => {
  expect(readQuery("word ".repeat(100_000)).terms).toHaveLength(1);
  expect(
    readQuery(Array.from({ length: 9_000 }, (_, at) => `w${at}`).join(" ")).terms.length,
  ).toBeLessThanOrEqual(64);
});
