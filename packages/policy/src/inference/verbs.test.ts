import { expect, test } from "vitest";
import { inflectedVerbOf, verbOf } from "./verbs.ts";

test.each([
  ["get", "read", false],
  ["list", "read", true],
  ["observe", "watch", false],
  ["track", "watch", true],
  ["goto", "browse", true],
  ["visit", "browse", false],
  ["download", "download", false],
  ["update", "write", false],
  ["copy", "write", true],
  ["send", "egress", false],
  ["mail", "egress", true],
  ["delete", "destructive", false],
  ["run", "destructive", true],
])("[YI2] %s: %s, also a thing: %s", (word, kind, isAlsoNoun) => {
  expect(verbOf(word)).toEqual({ kind, isAlsoNoun });
});

test.each([
  ["searching", "search"],
  ["updating", "update"],
  ["committing", "commit"],
  ["copies", "copy"],
  ["searches", "search"],
  ["presses", "press"],
  ["updates", "update"],
  ["send", "send"],
])("[YI2] in a sentence, %s is a form of %s", (word, base) => {
  expect(verbOf(word === base ? "" : word)).toBeUndefined();
  expect(inflectedVerbOf(word)).toEqual(verbOf(base));
});

test.each(["", "listx", "this", "ing", "ies", "s", "gets_", "been"])("[YI2] %j is no verb", (word) => {
  expect(inflectedVerbOf(word)).toBeUndefined();
});
