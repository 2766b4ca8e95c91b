import { expect, test } from "vitest";
import { createRunTexts } from "./run-texts.ts";

test("[W2] pieces of answers that nobody looks at add up, each once, until their run ends", () => {
  const texts = createRunTexts();
  const piece = { runId: "r1", itemId: "i1" };
  texts.take({ ...piece, offset: 0, text: "One " });
  texts.take({ ...piece, offset: 4, text: "two" });
  expect(texts.of("r1")).toEqual([{ itemId: "i1", text: "One two" }]);
  texts.take({ ...piece, offset: 0, text: "One two three" });
  texts.take({ ...piece, offset: 99, text: "after a gap" });
  texts.take({ runId: "r1", itemId: "i2", offset: 5, text: "without its beginning" });
  expect(texts.of("r1")).toEqual([{ itemId: "i1", text: "One two three" }]);
  expect(texts.of("r2")).toEqual([]);
  texts.take({ runId: "r2", itemId: "i3", offset: 0, text: "Other" });
  texts.end("r1");
  expect(texts.of("r1")).toEqual([]);
  texts.clear();
  expect(texts.of("r2")).toEqual([]);
});
