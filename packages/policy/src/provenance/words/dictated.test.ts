import { expect, test } from "vitest";
import { readDictated } from "./dictated.ts";

test.each([
  ['Write them "see you at the gate"', ["see you at the gate"]],
  ["Write them “see you at the gate”", ["see you at the gate"]],
  ["Write them 'see you, it's late'.", ["see you, it's late"]],
  ["Write them „see you at the gate“", ["see you at the gate"]],
  ["Write them „see you at the gate”", ["see you at the gate"]],
  ["Write them «see you at the gate»", ["see you at the gate"]],
  ["Write them ‘see you at the gate’", ["see you at the gate"]],
  ["Write them `see you at the gate`", ["see you at the gate"]],
  ["the message:see you at the gate", ["see you at the gate"]],
  ["Send this message: see you at the gate", ["see you at the gate"]],
  ["with the text, in bold: see you at the gate\nand go", ["see you at the gate"]],
])("[YP22] %j dictates %j", (text, dictated) => {
  expect(readDictated(text).map(({ text: found }) => found)).toEqual(dictated);
});

test.each([
  "Tell them that we meet at the gate",
  'Say "hi"',
  "The context: see you at the gate",
  "Buy these: milk, bread and butter",
  "it's Bob's gate, isn't it",
])("[YP22] %j dictates nothing", (text) => {
  expect(readDictated(text)).toEqual([]);
});
