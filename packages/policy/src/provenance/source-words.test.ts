import { expect, test } from "vitest";
import { codesToSend, createSourceWords, takeMoments, weighText, type WordSource } from "./source-words.ts";

const USER: WordSource = { source: undefined };
const MAIL: WordSource = { source: "mail.read", toolPath: "mail.read" };
const AIR: WordSource = { source: "air.find", toolPath: "Air.find" };

function setup(...said: readonly (readonly [WordSource, string, string?])[]) {
  const words = createSourceWords();
  for (const [from, text, name] of said) Array.from(words.addSteps(text, from, name));
  return words;
}

test.each([
  ["Rome, tomorrow", 0],
  ["a  b", 0],
  ["", 0],
  ["...", 3],
  ["a+++++b", 1],
  ["a\u200b\u200bb", 2],
  ["a\u200b\nb", 1],
])("[YP40] %j has %i characters beside its words: what is hidden counts", (text, loose) => {
  expect(weighText(text).loose).toBe(loose);
});

test("[YP40] words are weighed in plain letters and in lower case", () => {
  expect(weighText("Ｒｏｍｅ and\tCafe\u0301-Bar 2").words).toEqual(["rome", "and", "café", "bar", "2"]);
});

test.each([
  ["2026-05-15", ["2026-05-15"], ""],
  [
    "at 2026-05-15T09:30:00.123Z, or 2026-05-16 10:00",
    ["2026-05-15T09:30:00.123Z", "2026-05-16 10:00"],
    "at , or ",
  ],
  ["2026-05-15t09:30+02:00", ["2026-05-15t09:30+02:00"], ""],
  ["26-05-15 09:30", [], "26-05-15 09:30"],
])("[YP40] dates and times are weighed apart: %j", (text, moments, rest) => {
  expect(takeMoments(text)).toEqual({ rest, moments });
});

test.each([
  ["the code is 483920", ["483920"]],
  ["call +49 (170) 123-4567", ["491701234567"]],
  ["DE89 3704 0044 0532", ["de89370400440532"]],
  ["GB29 NWBK 6016 1331", ["gb29nwbk60161331"]],
  ["xy7qp", ["xy7qp"]],
  ["4 8 3 9 2 0", ["483920"]],
  ["x y 7 q p", ["xy7qp"]],
  ["48392", []],
  ["q3", []],
  ["1234.567", []],
  ["on 2026-05-15 at 10:00", []],
  ["1 + 2 + 3", []],
  ["a b c d e", []],
  ["Rome in May", []],
])("[YP41] the codes of %j are %j, however they are grouped", (text, codes) => {
  expect(codesToSend(text).map((code) => code.text)).toEqual(codes);
});

test.each([
  ["hunter27x", true],
  ["a1b2c3d4", true],
  ["a1b2c3d", false],
  ["ubuntu2204", false],
  ["12345678", false],
])("[YP41] that %s can only be a code: %s", (text, isRandom) => {
  expect(codesToSend(`see ${text}`)).toEqual([{ text, isRandom }]);
});

test("[YP42] a service knows the words that it gave, under each of its tools, and which follow which", () => {
  const words = setup(
    [USER, "Rome or Bonn"],
    [AIR, "Rome to Oslo"],
    [AIR, "to Rome"],
    [MAIL, "Rome to Paris"],
  );
  expect(words.saidOf("rome", undefined)).toEqual({ times: 1, isNext: false, among: 3 });
  expect(words.saidOf("bonn", "or")).toMatchObject({ isNext: true });
  expect(words.saidOf("bonn", "rome")).toMatchObject({ isNext: false });
  expect(words.ownOf("air.book", "rome", "to")).toEqual({ times: 2, isNext: true, among: 3 });
  expect(words.ownOf("air.book", "oslo", "rome")).toMatchObject({ times: 1, isNext: false });
  expect(words.ownOf("sea.book", "rome", "to")).toEqual({ times: 0, isNext: false, among: 0 });
});

test("[YP42] a word that somebody else used is theirs, or only where it stands as it did there", () => {
  const words = setup([AIR, "Rome to Oslo"], [MAIL, "Rome to Paris"]);
  expect(words.holderOf("paris", "air.book")).toBe("mail.read");
  expect(words.holderOf("paris", "mail.send")).toBeUndefined();
  expect(words.holderOf("paris", "air.book", "to")).toBe("mail.read");
  expect(words.holderOf("paris", "air.book", "rome")).toBeUndefined();
  expect(words.holderOf("rome", "mail.send")).toBe("air.find");
});

test("[YP40] nothing is news while nobody but the user and that service has said anything", () => {
  const words = setup([USER, "Hello"], [AIR, "Oslo"]);
  expect([words.hasOthers("air.book"), words.hasOthers("mail.send")]).toEqual([false, true]);
});

test("[YP41] a code is whoever's has it, not the user's own, nor that service's", () => {
  const words = setup(
    [USER, "my code is 112233"],
    [MAIL, "your code is 483920, and 112233"],
    [AIR, "seat 998877"],
  );
  expect(words.ownerOf("483920", "air.book", [])).toBe("mail.read");
  expect(words.ownerOf("483920", "mail.send", [])).toBeUndefined();
  expect(words.ownerOf("112233", "air.book", [])).toBeUndefined();
  expect(words.ownerOf("998877", "air.book", [])).toBeUndefined();
  expect(words.ownerOf("000000", "air.book", [])).toBeUndefined();
});

test("[YP41] a code goes where its owner always calls it by what is asked for, by a word before it or its field", () => {
  const flights = setup([MAIL, "Your flights: LH12345 at noon"], [MAIL, "XY77777", "flight_no"]);
  expect(flights.ownerOf("lh12345", "air.find", ["flight"])).toBeUndefined();
  expect(flights.ownerOf("lh12345", "air.find", ["seat"])).toBe("mail.read");
  expect(flights.ownerOf("xy77777", "air.find", ["flight"])).toBeUndefined();
  const both = setup([MAIL, "flight LH12345"], [MAIL, "password LH12345"]);
  expect(both.ownerOf("lh12345", "air.find", ["flight"])).toBe("mail.read");
});

test("[YP41] a code that nobody has is unheard, unless the user or that service said all its parts", () => {
  const words = setup([USER, "room 77 please"], [AIR, "gate"], [MAIL, "hunter 27 and x7y8z9"]);
  expect(words.isUnheard("hunter27", "air.find")).toBe(true);
  expect(words.isUnheard("room77", "air.find")).toBe(false);
  expect(words.isUnheard("gate77", "air.find")).toBe(false);
  expect(words.isUnheard("gate77", "sea.find")).toBe(true);
  expect(words.isUnheard("x7y8z9", "air.find")).toBe(false);
});

test("[YP42] what stands in every row is heard once, under another name again; of the user's, each time counts", () => {
  const words = setup(
    [MAIL, "open", "state"],
    [MAIL, "open", "state"],
    [MAIL, "open", "door"],
    [USER, "open"],
    [USER, "open"],
  );
  expect(words.ownOf("mail.send", "open", undefined).times).toBe(2);
  expect(words.saidOf("open", undefined).times).toBe(2);
  const long = `${"x".repeat(197)} yes`;
  const texts = setup([MAIL, long], [MAIL, long], [MAIL, long.slice(1)], [MAIL, long.slice(1)]);
  expect(texts.ownOf("mail.send", "yes", undefined).times).toBe(3);
});

test("[YP42] a source that no tool gave, or whose name has a space, is one of its own", () => {
  const words = setup([{ source: "a skill" }, "Oslo"]);
  expect(words.holderOf("oslo", "a.find")).toBe("a skill");
  expect(words.hasOthers("a.find")).toBe(true);
});
