import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readInChunks } from "./read-in-chunks.ts";
import { readText } from "./read-text.ts";

const together = (text: string) => {
  const words: string[] = [];
  const values = new Set<string>();
  let chunks = 0;
  for (const reading of readInChunks(text)) {
    chunks += 1;
    words.push(...reading.words);
    for (const value of reading.values) values.add(value);
  }
  return { words, values, chunks };
};

/** What a sentence is made of; among it whatever may lie across a cut. */
const anyWord = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("the", "letter", "came", "from", "our", "office", "Über", "ﬁne") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "5 March 2024",
      "May 3rd, 2023",
      "two hundred thousand",
      "5 million",
      "GB29 NWBK 6016 1331 9268 19",
      "+44 20 7946 0958",
      "https://example.org/a?b=1",
      "10:30 pm",
      "1,000.50",
    ),
  },
);

test("[YP19] a long text read in pieces gives the same words and values as read at once", () => {
  let parted = 0;
  fc.assert(
    fc.property(fc.array(anyWord, { minLength: 200, maxLength: 400 }), (words) => {
      const text = Array.from({ length: 60 }, (_, n) => `${words.join(" ")} part ${n}.`).join("\n");
      const { chunks, ...reading } = together(text);
      if (chunks > 1) parted += 1;
      expect(reading).toEqual(readText(text));
    }),
    { numRuns: 25 },
  );
  expect(parted).toBeGreaterThan(15);
});

test("[YP19] columns of numbers are read in pieces, too, without a word lost", () => {
  const text = Array.from({ length: 60_000 }, (_, n) => n).join(" ");
  const { words, chunks } = together(text);
  expect(chunks).toBeGreaterThan(3);
  expect(words).toEqual(readText(text).words);
});

test("[YP19] a whole number alone is read as the same number in brackets is", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 17n }), (n) => {
      const inBrackets = readText(`(${n})`);
      expect(readText(String(n)).words).toEqual(inBrackets.words);
      expect(readText(String(n)).values).toEqual(
        new Set([String(n), ...[...inBrackets.values].filter((value) => value !== `(${n})`)]),
      );
    }),
  );
});
