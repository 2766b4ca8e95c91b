import { expect, test } from "vitest";
import { readQuery } from "./read-query.ts";

const NO_NAMES = {
  namespaces: new Map(),
  isWordOutside: () => false,
  isHouse: () => false,
  postingsOf: () => undefined,
};
const read = (text: string) => readQuery(text, NO_NAMES);
const termsOf = (text: string) => read(text).concepts.map(({ term }) => term);
const deedsOf = (text: string) => [...read(text).deeds];

test("[TS7] ignores numbers and days", () => {
  expect(termsOf("can you cancel booking 42 on Friday")).toEqual(["cancel", "book"]);
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

test("[TS3] words without a verb ask to see things if they are many, and an adjective is no verb", () => {
  expect(deedsOf("latest commits")).toEqual(["read"]);
  expect(deedsOf("open issues of a repository")).toEqual(["read"]);
  expect(deedsOf("open an issue")).toEqual(["create"]);
  expect(deedsOf("unread mail")).toEqual([]);
  expect(deedsOf("call off the booking")).toEqual(["create", "delete"]);
});

test("[TS10] the thing that is asked for is named before the first preposition", () => {
  expect(read("open issues of a repository").head).toBe("issu");
  expect(read("list the members of my team").head).toBe("member");
  expect(read("comment on an issue").head).toBe("issu");
  expect(read("what is on the board").inside).toBe(true);
  expect(read("what boards are there").inside).toBe(false);
});

test("[TS7] days with “every” before them ask for something that happens again", () => {
  expect(termsOf("do this every monday morning")).toEqual(["recur"]);
});
