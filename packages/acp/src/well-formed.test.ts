import { expect, test } from "vitest";
import { wellFormed } from "./stdio-stream.ts";

test("[E335] no frame has half a character, in values or keys; everything else is unchanged", () => {
  const half = "\ud83d";
  expect(wellFormed({ [half]: [half, "😀", 1, null, { a: true }] })).toEqual({
    "\ufffd": ["\ufffd", "😀", 1, null, { a: true }],
  });
});
