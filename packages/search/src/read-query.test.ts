import { expect, test } from "vitest";
import { readQuery } from "./read-query.ts";

const NO_NAMES = { namespaces: new Map(), isWordOutside: () => false };
const read = (text: string) => readQuery(text, NO_NAMES);
const termsOf = (text: string) => read(text).concepts.map(({ term }) => term);
const deedsOf = (text: string) => [...read(text).deeds];

test("[TS7] ignores numbers, days and small talk", () => {
  expect(termsOf("hey can you please cancel booking 42 on Friday, thanks")).toEqual(["cancel", "book"]);
});

test("[TS2] irregular forms of a word count as the word", () => {
  expect(termsOf("who sent the mail")).toContain("send");
  expect([...(read("he turned the heating off").concepts[0]?.synonyms ?? [])]).toContain("disabl");
});

test("[TS3] the first verb decides what is asked for", () => {
  expect(deedsOf("restore the file")).toEqual(["update"]);
  expect(deedsOf("is the disk full")).toEqual(["read"]);
  expect(deedsOf("any mail from my boss")).toEqual(["read"]);
  expect(deedsOf("mail my boss")).toEqual(["create"]);
  expect(deedsOf("the heating")).toEqual([]);
});
