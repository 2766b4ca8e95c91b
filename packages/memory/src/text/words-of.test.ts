import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { termsAmong, termsOf } from "./words-of.ts";

const words = constantFrom(
  ..."sent send sending went goes running runs Café cafe mice mouse 東京タワー 東京の古い時計 INV-2024 שָׁלוֹם ที่นี่ 東京2024report".split(
    " ",
  ),
);
const text = array(words, { maxLength: 12 }).map((list) => list.join(" "));

test("[M23] the terms that a text has among some are those of all its terms", () => {
  assert(
    property(text, text, (read, asked) => {
      const wanted = new Set(termsOf(asked));
      const all = new Set(termsOf(read));
      expect(termsAmong(read, wanted)).toEqual(wanted.intersection(all));
    }),
  );
});
