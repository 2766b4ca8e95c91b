import { expect, test } from "vitest";
import { readQuery } from "./read-query.ts";

const NO_NAMES = { namespaces: new Map(), isWordOutside: () => false };
const read = (text: string) => readQuery(text, NO_NAMES);
const termsOf = (text: string) => read(text).concepts.map(({ term }) => term);
const deedsOf = (text: string) => [...read(text).deeds];

test("[TS7] what a question gives is known by its form, not by its words", () => {
  expect(termsOf("map blog.example.com on 1.2.3.4")).toEqual(["map", "domain", "ip"]);
  expect(termsOf("invite anna@acme.com")).toEqual(["invit", "email"]);
  expect(termsOf("text +49 30 1234567")).toEqual(["text", "phone"]);
  expect(termsOf("set API_KEY=abc123")).toEqual(["set", "variable"]);
  expect(termsOf("upload report.pdf")).toEqual(["upload", "file"]);
  expect(termsOf("pay 20 euros")).toEqual(["pay", "amount"]);
  expect(termsOf("greet #general")).toEqual(["greet", "channel"]);
});

test("[TS7] numbers, days and small talk say nothing of the tool", () => {
  expect(termsOf("hey can you please cancel booking 42 on Friday, thanks")).toEqual(["cancel", "book"]);
});

test("[TS2] forms of a word that no rule gives are its own", () => {
  expect(termsOf("who sent the mail")).toContain("send");
  expect(termsOf("turned the heating off")).toContain("turnedoff");
  expect([...(read("he turned the heating off").concepts[0]?.synonyms ?? [])]).toContain("disabl");
});

test("[TS3] what is told of the past, and what is said of a thing, is not what is asked for", () => {
  expect(deedsOf("I deleted the file, restore it")).toEqual(["update"]);
  expect(deedsOf("the disk is full, resize it")).toEqual(["update"]);
  expect(deedsOf("is the disk full")).toEqual(["read"]);
  expect(deedsOf("any mail from my boss")).toEqual(["read"]);
  expect(deedsOf("mail my boss")).toEqual(["create"]);
  expect(deedsOf("how do I cancel it")).toEqual(["delete"]);
});

test("[TS2] “films like this” asks for similar ones, “I like it” does not", () => {
  expect(termsOf("films like Alien")).toContain("similar");
  expect(termsOf("I like films")).not.toContain("similar");
});
