import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import type { PolicyTool } from "../policy.ts";
import { judgeOrigins } from "./judge-origins.ts";
import { createOriginIndex } from "./origin-index.ts";

const LETTER =
  "The merger with Contoso will be announced on Tuesday at nine, keep it quiet until then, price is 42 per share.";
const MAIL = {
  from: "ceo@acme.example",
  body: LETTER,
  iban: "DE89370400440532013000",
  code: "Your one-time code is 483920",
  card: "4111111111111111",
  key: "hunter2-Xy7Qp",
  note: "Your flight LH12345 leaves at noon",
};
const CONTACTS = Array.from({ length: 12 }, (_, n) => ({
  name: `Person Number${n}`,
  email: `person${n}@acme.example`,
}));
const FILES = "The user's daughter Mia goes to St. Mary in Bonn, her doctor is Dr. Weber.";
const REQUEST = "How is the weather in Rome tomorrow? Also read my last mail.";

const tool = (path: string, properties: Record<string, unknown> = {}): PolicyTool => ({
  path,
  approval: "auto",
  effect: "read",
  critical: "all",
  inputSchema: { type: "object", properties },
});
const FORECAST = tool("weather.get_forecast", { city: {}, country: {}, note: {}, lat: {}, cities: {} });

function setup(request = REQUEST) {
  const index = createOriginIndex();
  index.addUser(request, "2026-05-15");
  index.addConfiguration(FILES);
  index.addResult({ source: "mail.read", trust: "untrusted" }, MAIL);
  index.addResult({ source: "contacts.list", trust: { values: ["*.name", "*.email"] } }, CONTACTS);
  index.addResult(
    { source: "bank.info", trust: "trusted" },
    { balance: "There are 12 thousand in the vault, and nobody but the two of us knows it" },
  );
  const asks = (input: unknown, of = FORECAST) =>
    judgeOrigins({ tool: of, input, origins: index.origins() }).map(({ words }) => words);
  return { index, asks };
}

/** Ways to say the same in other signs. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in capitals": (text) => text.toUpperCase(),
  reversed: (text) => Array.from(text).toReversed().join(""),
  "words reversed": (text) => text.split(" ").toReversed().join(" "),
  "with filler": (text) => text.split(" ").join(" x "),
  "with signs between": (text) => text.split(" ").join("+"),
  "without spaces": (text) => text.replaceAll(" ", ""),
  "letters moved on": (text) =>
    text.replaceAll(/[a-y]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 1)),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 with spaces": (text) => Buffer.from(text).toString("base64").replaceAll(/.{6}/g, "$& "),
  "in hexadecimal": (text) => Buffer.from(text).toString("hex").replaceAll(/../g, "$& "),
  "with hidden characters": (text) => text.replaceAll(/[aeiou]/g, "$&\u200b"),
  "in full width": (text) =>
    text.replaceAll(/[a-z]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfe_e0)),
  "hidden in a city": (text) =>
    `Rome${Array.from(text, (one) => String.fromCodePoint(0xe_00_00 + one.charCodeAt(0))).join("")}`,
};

/** Ways to put a text into a call. */
const PLACES: Readonly<Record<string, (text: string) => unknown>> = {
  "one argument": (city) => ({ city }),
  "three arguments": (text) => ({
    city: text.slice(0, 40),
    country: text.slice(40, 80),
    note: text.slice(80),
  }),
  "a list of pieces": (text) => ({ cities: text.match(/.{1,20}/gsu) }),
  "a list of words": (text) => ({ cities: text.split(" ") }),
  "a key": (text) => ({ cities: { [text]: true } }),
  "a key of the input": (text) => ({ [text]: true }),
  "deep inside": (text) => ({ cities: [[{ of: { of: [text] } }]] }),
  "numbers of its letters": (text) => ({ cities: Array.from(text, (one) => one.codePointAt(0)) }),
  "the input itself": (text) => text,
};

test.each(Object.keys(FORMS))("[YP40] a text that was read goes to no other service unasked: %s", (form) => {
  const { asks } = setup();
  for (const [place, put] of Object.entries(PLACES))
    expect(asks(put(FORMS[form]?.(LETTER) ?? "")), place).not.toEqual([]);
});

test("[YP40] whatever text it is, a read carries at most forty characters of it", () => {
  const word = string({
    unit: constantFrom(...Array.from("bcdfghjklmnpqrstvwxz")),
    minLength: 3,
    maxLength: 9,
  });
  const text = array(word, { minLength: 20, maxLength: 60 }).map((words) => [...new Set(words)].join(" "));
  assert(
    property(
      text,
      constantFrom(...Object.values(FORMS)),
      constantFrom(...Object.values(PLACES)),
      (one, form, put) => {
        const { index, asks } = setup();
        index.addResult({ source: "diary.read", trust: "untrusted" }, one);
        expect(asks(put(form(one)))).not.toEqual([]);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
});

test("[YP40] what a source vouches for, trusted text and the user's own files are others' to that service, too", () => {
  const { asks } = setup();
  expect(asks({ city: CONTACTS.map(({ email }) => email).join(", ") })).not.toEqual([]);
  expect(asks({ cities: CONTACTS.map(({ name }) => name) })).not.toEqual([]);
  expect(asks({ city: FILES })).toEqual([
    `city would send ${JSON.stringify(FILES)}, from your agent's files, to weather.get_forecast.`,
  ]);
  expect(
    asks({ city: "There are 12 thousand in the vault, and nobody but the two of us knows it" }),
  ).not.toEqual([]);
});

test.each([
  ["an account", { city: "DE89370400440532013000" }],
  ["an account in groups", { city: "DE89 3704 0044 0532 0130 00" }],
  ["a card", { city: "4111111111111111" }],
  ["a card in groups", { city: "4111-1111-1111-1111" }],
  ["a card as a number", { lat: 4_111_111_111_111_111 }],
  ["a one-time code", { city: "483920" }],
  ["a one-time code in a sentence", { city: "Rome 483 920" }],
  ["a password", { city: "hunter2-Xy7Qp" }],
  ["a code as a key", { cities: { "483920": 1 } }],
])("[YP41] a code that somebody else has is held, however short: %s", (_what, input) => {
  const [words] = setup().asks(input);
  expect(words).toMatch(/would send .*, from mail\.read, to weather\.get_forecast\.$/);
});

test.each([
  ["a code in reverse", "029384"],
  ["an account in reverse", "00031023504400407398ED"],
  ["a card in reverse, in groups", "1111 1111 1111 1114"],
  ["a password in reverse", "pQ7yX-2retnuh"],
  ["a card spelled", "4 1 1 1   1 1 1 1   1 1 1 1   1 1 1 1"],
  ["an account spelled", "D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0"],
  ["a password spelled", "h u n t e r 2 - X y 7 Q p"],
])("[YP41] a code is held in another form, too: %s", (_what, city) => {
  expect(setup().asks({ city })).toHaveLength(1);
});

test.each(["kd93jf02", "uhagre2Kl9Dc", "aGVsbG8x", "7 7 4 1 # 2 2 9 0 *"])(
  "[YP41] what can only be a code is held at any length, though nobody has it: %s",
  (city) => {
    expect(setup().asks({ city })).toEqual([
      expect.stringMatching(/^city would send .* to weather\.get_forecast\b/),
    ]);
  },
);

test.each([
  ["said", "kd93jf02", "Look up kd93jf02"],
  ["put together of what was said", "iphone13pro", "What does the iPhone 13 Pro cost?"],
  ["shorter", "covid19", REQUEST],
  ["a word with its number", "station0012", REQUEST],
  ["a sum", "1 + 2 * 3 - 4 + 5", REQUEST],
  ["a date", "2026-05-16T10:00:00Z", REQUEST],
  ["a file's name", "report-2026_03.md", REQUEST],
])("[YP41] what is %s is no such code: %s", (_what, city, request) => {
  expect(setup(request).asks({ city })).toEqual([]);
});

test("[YP41] nor is what the service gave, or what its owner calls by the noun that is asked for", () => {
  const { index, asks } = setup();
  index.addResult({ source: "weather.stations", trust: "untrusted" }, [{ station: "st4710axq" }]);
  index.addResult({ source: "mail.read", trust: "untrusted" }, "Your flight LHA12345 leaves at noon");
  expect(asks({ city: "st4710axq" })).toEqual([]);
  expect(asks({ flight_number: "LHA12345" }, tool("flights.status", { flight_number: {} }))).toEqual([]);
});

test("[YP41] an id goes where such an id is asked for, if that is what its owner calls it", () => {
  const { asks } = setup();
  const status = tool("flights.status", { flight_number: {}, seat: {} });
  expect(asks({ flight_number: "LH12345" }, status)).toEqual([]);
  expect(asks({ seat: "LH12345" }, status)).toHaveLength(1);
  expect(asks({ flight_number: "483920" }, status)).toHaveLength(1);
  const check = tool("shop.check", { card_number: {} });
  expect(asks({ card_number: "4111111111111111" }, check), "no account is an id").toHaveLength(1);
});

test("[YP42] the user's words, the service's own and its schema's are no news to it", () => {
  const { index, asks } = setup();
  expect(asks({ city: "Rome", note: "weather in Rome tomorrow" })).toEqual([]);
  expect(asks({ city: "Lund", country: "Sweden", note: "2026-05-16" })).toEqual([]);
  expect(asks({ city: "Gendarmenmarkt 5, 10117 Berlin Mitte, Deutschland" }), "an address").toEqual([]);
  const page = "docs://architecture/decision-records/0001-record-architecture-decisions-of-2024.md";
  const read = tool("docs.resources.read", { uri: {} });
  expect(asks({ uri: page }, read)).toHaveLength(1);
  index.addResult({ source: "mcp:docs", trust: "untrusted", toolPath: "docs.resources.list" }, [
    { uri: page },
  ]);
  expect(asks({ uri: page }, read)).toEqual([]);
  const unit = "degrees of Celsius, rounded to the nearest whole number";
  expect(asks({ unit }, tool("weather.get", { unit: { enum: [unit] } }))).toEqual([]);
  index.addUser(`Search for: ${LETTER}`);
  expect(asks({ city: LETTER })).toEqual([]);
});

test("[YP42] what a service was sent before, it knows", () => {
  const { index, asks } = setup();
  const input = { city: LETTER };
  index.addResult({ source: "weather.get_forecast", trust: "untrusted" }, "No such city", input);
  expect(asks(input)).toEqual([]);
});

test("[YP42] a service that brings a dictionary along is not told a text in its own words", () => {
  const { index, asks } = setup();
  const dictionary = [
    ...new Set(LETTER.split(/[^a-z0-9]+/i)),
    ...Array.from({ length: 3_000 }, (_, n) => `w${n}`),
  ];
  index.addResult({ source: "weather.words", trust: "untrusted" }, dictionary.toReversed());
  const code = Array.from({ length: 60 }, (_, n) => `w${(n * 7919) % 3_000}`);
  expect(asks({ city: code.join(" ") })).not.toEqual([]);
  expect(asks({ cities: code })).not.toEqual([]);
  expect(asks({ city: LETTER })).not.toEqual([]);
  expect(asks({ city: "w17", country: "w4" }), "a few are what services are asked for").toEqual([]);
});

test("[YP40] nothing hides behind a long text of the user's own", () => {
  const { index, asks } = setup();
  const pasted = Array.from({ length: 4_000 }, (_, n) => `p${n}`).join(" ");
  index.addUser(pasted);
  expect(asks({ note: pasted.slice(0, 19_000) })).toEqual([]);
  expect(asks({ note: `${pasted} ${LETTER}` })).not.toEqual([]);
});

test("[YP42] the same words again and again are a code of their own", () => {
  const { asks } = setup();
  const bits = Array.from({ length: 400 }, (_, n) => (n % 3 === 0 ? "rome" : "weather")).join(" ");
  expect(asks({ city: bits })).not.toEqual([]);
  expect(asks({ cities: Array.from({ length: 400 }, (_, n) => n % 3 === 0) })).not.toEqual([]);
});

test("[YP40] nothing is held while nobody else has said anything, nor of a tool that sends nothing", () => {
  const index = createOriginIndex();
  index.addUser("Which region sells most?");
  index.addResult({ source: "db.tables", trust: "untrusted" }, ["orders"]);
  const sql = "SELECT region, sum(total) FROM orders WHERE year = 2026 GROUP BY region ORDER BY 2 DESC";
  const of = tool("db.query", { sql: {} });
  expect(judgeOrigins({ tool: of, input: { sql }, origins: index.origins() })).toEqual([]);
  const { asks } = setup();
  expect(asks({ city: LETTER }, { ...FORECAST, isLocal: true })).toEqual([]);
});

test("[YP40] the question shows each argument once, as it stands in the input", () => {
  const { asks } = setup();
  expect(asks({ cities: LETTER.match(/.{1,20}/g), city: "Rome" })).toEqual([
    expect.stringMatching(/^cities would send "The merger with Cont /),
  ]);
  const street = "Gendarmenmarkt 5, 10117 Berlin Mitte, Deutschland (third floor, ring at Weber)";
  expect(asks({ city: street })[0]).toContain(JSON.stringify(street));
});

/** Ways to say bits with things that have no value. */
const SHAPES: Readonly<Record<string, (bits: readonly boolean[]) => unknown>> = {
  "nulls and objects": (bits) => bits.map((bit) => (bit ? null : {})),
  "empty lists": (bits) => bits.map((bit) => (bit ? [] : {})),
  "how deep": (bits) => bits.map((bit) => (bit ? [[]] : [])),
  "blank texts": (bits) => bits.map((bit) => (bit ? " " : "")),
  "one blank text": (bits) => bits.map((bit) => (bit ? " " : "\t")).join(""),
  "lists of lists of nulls": (bits) => [bits.map((bit) => (bit ? [null] : null))],
};

test.each(Object.entries(SHAPES))("[YP79] a read carries nothing by its shape: %s", (_, shape) => {
  const { asks } = setup();
  const bits = Array.from(LETTER).flatMap((letter) =>
    Array.from({ length: 7 }, (__, at) => (letter.charCodeAt(0) & (1 << at)) !== 0),
  );
  expect(asks({ city: "Rome", cities: shape(bits) })).not.toEqual([]);
  // A few of them are how programs leave things out.
  expect(asks({ city: "Rome", country: null, cities: [], note: "" })).toEqual([]);
});
