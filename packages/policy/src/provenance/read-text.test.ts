import { expect, test } from "vitest";
import { readText, wordsOf } from "./read-text.ts";

const valuesOf = (text: string): readonly string[] => [...readText(text).values].sort();

test.each([
  ["", []],
  ["  Hello \n World ", ["hello", "world"]],
  ["Bob's", ["bob", "bob's"]],
  ["#general", ["#general", "general"]],
  ["bob@x.org", ["bob@x.org"]],
  ["O'Sullivan", ["o'sullivan"]],
  ["''Bob''", ["''bob''", "bob"]],
  ["x.org.They", ["pu:x.org", "pu:x.org.they", "u:x.org", "u:x.org.they", "x.org", "x.org.they"]],
  ["A/B/C", ["a", "a/b/c", "b", "c"]],
  ["a/b/c.txt", ["a/b/c.txt"]],
  ["pay 5", ["5", "n:5", "pay"]],
  ["two hundred and seven", ["and", "hundred", "n:200", "n:7", "seven", "two"]],
  ["twenty five", ["five", "n:25", "twenty"]],
])("[YP2] %j states %j and no more", (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

test.each([
  ["Read https://x.org/A?b=1&c=2, please", "u:x.org/A?b=1&c=2"],
  ["(see HTTPS://X.org/a?b=(1))", "u:x.org/a?b=(1"],
  ["https://x.org/wiki/Otter_(animal)?", "u:x.org/wiki/Otter_(animal)"],
  ["[label](https://x.org/?q=1).", "u:x.org/?q=1"],
  ["https://x.org/a;b,c!d", "u:x.org/a;b,c!d"],
])("[YP2] %j states the whole address", (text, form) => {
  expect(valuesOf(text)).toContain(form);
});

test("[YP3] an address is not stated by one that is longer behind its question mark, nor by another one", () => {
  const values = valuesOf("https://x.org/a?b=1");
  for (const form of ["u:x.org/a?b=", "u:x.org/a?b=2", "u:x.org/a?b=1&c=2", "u:x.org/a?B=1"])
    expect(values).not.toContain(form);
});

test("[YP4] its words come in order, numbers by what they are, without what only separates them", () => {
  expect(wordsOf('Pay "Bob" 1,000.00 ... or (him) 5!')).toEqual(["pay", "bob", "n:1000", "or", "him", "n:5"]);
});

test.each([
  ["12,345", 12_345],
  ["1,234,567", 1_234_567],
  ["1’234’567.89", 1_234_567.89],
  ["1.234,56", 1_234.56],
  ["12.345.678,90", 12_345_678.9],
  ["-1,000", -1_000],
  ["$12,50", 12.5],
  ["12,5%", 0.125],
])("[YP2] %s is one number in the middle of a text", (text, value) => {
  expect(valuesOf(`pay ${text}, please`)).toContain(`n:${value}`);
});

test.each([
  ["the day before a month", "13 May", "n:13"],
  ["the hour of a time before a date", "at 2 pm on May 13", "n:2"],
  ["the day of a date behind letters that lower case lengthens", "İİİİİİİİ on May 13", "n:13"],
  ["a part of a spelled number", "twenty five people", "n:5"],
  ["what is longer than any address", `"${"x".repeat(2_049)}"`, "x".repeat(2_049)],
])("[YP3] %s is not stated", (_what, text, form) => {
  expect(valuesOf(text)).not.toContain(form);
});

test.each([
  ["a number behind a date", "on May 13 pay 5", "n:5"],
  ["the month of a date, as a word", "on 1 January, 2022", "january"],
  ["as much as an address may have", `"${"x".repeat(2_048)}"`, "x".repeat(2_048)],
  ["a telephone number without a plus", "call 0170 123 4567 now", "c:01701234567"],
  ["letters in an account number", "GB29 NWBK AB16 1331 9268 19", "c:gb29nwbkab161331926819"],
])("[YP2] %s is stated", (_what, text, form) => {
  expect(valuesOf(text)).toContain(form);
});

test.each(["a01701234567", "01701234567a", "DE89 3704 and more"])(
  "[YP3] in %j is no account or telephone number",
  (text) => {
    expect(valuesOf(text).filter((form) => form.startsWith("c:"))).toEqual([]);
  },
);

test("[YP2] wide letters are read both ways, apart from each other", () => {
  expect(readText("ａ ｂ").words).toEqual(["ａ", "ｂ", "", "a", "b"]);
  expect(readText("a b").words).toEqual(["a", "b"]);
});
