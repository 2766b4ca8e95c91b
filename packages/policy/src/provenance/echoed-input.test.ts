import { growthOf, LINEAR } from "@deputy/testing/growth";
import { expect, test } from "vitest";
import { readEchoedInput } from "./echoed-input.ts";
import { createOriginIndex } from "./origin-index.ts";

const of = (input: unknown) => readEchoedInput(input, (value) => value === "Alice");

test("[YP18] a value that the input has, or a part of it, is an echo", () => {
  const { isEcho } = of({
    to: "Eve Smith <eve@evil.org>",
    n: 417,
    tags: ["DE8937", "040044"],
    keys: { "x-9": 1 },
  });
  for (const value of [
    "eve@evil.org",
    "EVE@EVIL.ORG",
    "Smith",
    "Dear Eve Smith",
    "mailto:eve@evil.org",
    417,
    "417",
    "DE8937040044",
    "DE89 3704 0044",
    "x-9",
  ])
    expect(isEcho(value), String(value)).toBe(true);
  for (const value of ["bob@x.org", "Carol", 41, 42, "ok", "to"])
    expect(isEcho(value), String(value)).toBe(false);
});

test("[YP18] a word of the input counts where it stands alone, an address or a number inside of others, too", () => {
  const { isEcho } = of({ to: "Eve - at evil.org", code: "417", iban: "DE8937 0400 44" });
  for (const value of ["eve", "Ask Eve", "wwwevil.org", "my417", "417", "93704", "Y417Z"])
    expect(isEcho(value), value).toBe(true);
  for (const value of ["Evelyn", "Steve", "18", "…", "- -", " "]) expect(isEcho(value), value).toBe(false);
});

test("[YP18] a key that no schema would have is somebody's choice, a name of an argument is not", () => {
  const long = "k".repeat(41);
  const { isEcho } = of({ where: { owner: "eve", "4ever": 1, [long]: 2, [long.slice(1)]: 3 } });
  for (const value of ["4ever", long]) expect(isEcho(value), value).toBe(true);
  expect(isEcho("owner")).toBe(false);
  expect(of({ where: { [long.slice(1)]: 3 } }).isEcho(long.slice(1))).toBe(false);
});

test("[YP18] what was explained before is none, and neither is yes or no", () => {
  expect(of({ name: "Alice", all: true }).isEcho("Alice Miller")).toBe(false);
  expect(of({ name: "Alice", all: true }).isEcho("true")).toBe(false);
  expect(of(undefined).isEcho("Alice")).toBe(false);
  expect(of({ name: "Alice" }).without("Alice Miller")).toEqual(["Alice Miller"]);
});

test("[YP18] the rest of a text stays, apart", () => {
  const { without } = of({ q: "dentist", account: "DE89370400" });
  expect(without("Call the dentist at 030 1234567")).toEqual(["Call the ", " at 030 1234567"]);
  expect(without("my-dentist@x.org is fine")).toEqual([" is fine"]);
  expect(without("DE 89 37 04 00")).toEqual(["DE "]);
  expect(without("dentist")).toEqual([]);
});

test("[YP18] of a very long input, all is an echo", () => {
  const { isEcho, without } = of("y".repeat(4_001));
  expect(isEcho("Carol")).toBe(true);
  expect(without("Carol")).toEqual([]);
  expect(of("y".repeat(4_000)).isEcho("Carol")).toBe(false);
});

test("[YP18] a trusted source gives trust to what it adds, and to what was explained by then", () => {
  const index = createOriginIndex();
  index.addUser("Pay Alice");
  const book = { source: "book.find", trust: "trusted" } as const;
  index.addResult(book, { name: "Alice Miller", iban: "GB29NWBK60161331926819" }, { name: "Alice" });
  index.addResult(book, { name: "Eve", iban: "FR1420041010050500013M02606" }, { name: "Eve" });
  index.addResult({ source: "mail.read", trust: "untrusted" }, "x", { id: 1 });
  const { trace, untrusted } = index.origins();
  expect(trace("Alice Miller").kind).toBe("trusted");
  expect(trace("GB29NWBK60161331926819")).toEqual({
    kind: "trusted",
    source: "book.find",
    named: "part",
    clue: "alice",
  });
  expect(trace("FR1420041010050500013M02606")).toEqual({ kind: "trusted", source: "book.find" });
  expect(trace("Eve")).toEqual({ kind: "invented" });
  expect(untrusted).toEqual(["mail.read"]);
  index.addUser("Eve");
  expect(trace("Eve").kind).toBe("user");
});

test("[YP18] a vouched field that repeats the input is not vouched for", () => {
  const index = createOriginIndex();
  const users = { source: "users.find", trust: { values: ["*.name", "*.id"] } };
  index.addResult(users, [{ id: 70, name: "Mallory" }], { query: "mallory" });
  expect(index.origins().trace("Mallory")).toEqual({ kind: "untrusted", source: "users.find" });
  expect(index.origins().trace(70, { name: "id", toolPath: "users.remove" }).kind).toBe("trusted");
});

test("[YP16] a long input and a long result take no quadratic time", () => {
  const growth = growthOf((size) => {
    const { without, isEcho } = of(Array.from({ length: size }, (_, n) => `a${n}`));
    const text = Array.from({ length: 20 * size }, (_, n) => `b${n}`).join(" ");
    without(text);
    isEcho(text);
  }, 250);
  expect(growth).toBeLessThan(LINEAR);
});
