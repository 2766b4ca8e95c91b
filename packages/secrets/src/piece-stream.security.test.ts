import { expect, test } from "vitest";
import { createRedactor, createValueRedactor } from "./redactor.ts";

const TOKEN = "tok-7f3a9c51d2e84b60";
const FORMS = [TOKEN, Buffer.from(TOKEN).toString("base64").slice(0, -2), Buffer.from(TOKEN).toString("hex")];

function setup() {
  const redactor = createRedactor([TOKEN]);
  const inPieces = (pieces: readonly string[]): readonly string[] => {
    const stream = redactor.pieces();
    return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
  };
  return { redactor, inPieces };
}

test("[YX12] a known value that is cut in two anywhere is redacted in both, but for two characters", () => {
  const { inPieces } = setup();
  for (const form of FORMS)
    for (let at = 1; at < form.length; at++) {
      const [first = "", second = ""] = inPieces([`a ${form.slice(0, at)}`, `${form.slice(at)} b`]);
      expect(second).toBe("[redacted] b");
      expect(first).toBe(at <= 2 ? `a ${form.slice(0, at)}` : "a [redacted]");
    }
});

test("[YX12] also in many pieces, down to single characters, and between them pieces of nothing", () => {
  const { inPieces } = setup();
  const singles = TOKEN.split("").flatMap((char) => [char, ""]);
  expect(
    inPieces(["x", ...singles, "y"])
      .join("")
      .replaceAll("[redacted]", ""),
  ).toBe("xtoy");
  expect(inPieces([TOKEN.slice(0, 5), TOKEN.slice(5, 9), TOKEN.slice(9)])).toEqual([
    "[redacted]",
    "[redacted]",
    "[redacted]",
  ]);
});

test("[YX12] a piece is held back only while it may be the beginning of a value, and whole", () => {
  const { redactor } = setup();
  const stream = redactor.pieces();
  expect(stream.push("Page 1")).toEqual(["Page 1"]);
  expect(stream.push("that to")).toEqual(["that to"]);
  expect(stream.push("the tok")).toEqual([]);
  expect(stream.push("en is old")).toEqual(["the tok", "en is old"]);
  expect(stream.push("a tok-7f3")).toEqual([]);
  expect(stream.end()).toEqual(["a tok-7f3"]);
});

test("[YX12] what is in one piece is redacted as ever, and what is learned meanwhile counts", () => {
  const { redactor } = setup();
  const stream = redactor.pieces();
  expect(stream.push(`with ${TOKEN}, password: "hunter2hunter2"`)).toEqual([
    'with [redacted], password: "[redacted]"',
  ]);
  redactor.learn("a-brand-new-one");
  expect(stream.push("a-bra")).toEqual([]);
  expect(stream.push("nd-new-one")).toEqual(["[redacted]", "[redacted]"]);
});

test("[YX12] pieces that begin a value for ever are given out in the end", () => {
  const long = "ab".repeat(2_000);
  const stream = createValueRedactor([long]).pieces();
  const given = long
    .slice(0, 3_000)
    .split("")
    .flatMap((char) => stream.push(char));
  expect(given.length).toBeGreaterThan(900);
});

test("[YX13] in JSON a value is found in strings that follow each other, wherever they are", () => {
  const { redactor } = setup();
  const halves = [TOKEN.slice(0, 11), TOKEN.slice(11)] as const;
  expect(redactor.json(halves)).toEqual(["[redacted]", "[redacted]"]);
  expect(redactor.json({ a: `x ${halves[0]}`, n: 1, b: { c: [`${halves[1]} y`] } })).toEqual({
    a: "x [redacted]",
    n: 1,
    b: { c: ["[redacted] y"] },
  });
  const lines = ["before", halves[0], halves[1], "after"];
  expect(redactor.json(lines)).toEqual(["before", "[redacted]", "[redacted]", "after"]);
});

test("[YX13] so it is at the same place in a list's elements, whatever else stands between", () => {
  const { redactor } = setup();
  const events = TOKEN.split("").map((delta, n) => ({ event: "add", id: `e${n}`, data: { delta } }));
  const redacted = redactor.json(events);
  expect(redacted.map(({ data }) => data.delta).join("")).toBe("[redacted]".repeat(TOKEN.length));
  expect(redacted.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
});

test("[YX13] nothing else changes: not what is apart, not what has no known value in it", () => {
  const { redactor } = setup();
  const apart = { a: TOKEN.slice(0, 11), b: "and", c: TOKEN.slice(11) };
  expect(redactor.json(apart)).toEqual(apart);
  const proto = JSON.parse(`{"__proto__":"${TOKEN.slice(0, 9)}","b":"${TOKEN.slice(9)}"}`) as object;
  expect(JSON.stringify(redactor.json(proto))).toBe('{"__proto__":"[redacted]","b":"[redacted]"}');
  const much = [TOKEN.slice(0, 9), TOKEN.slice(9), "x".repeat(300_000)];
  expect(redactor.json(much)).toEqual(much);
  const none = createValueRedactor([]);
  expect(none.json(["tok-7f3a9c5", "1d2e84b60"])).toEqual(["tok-7f3a9c5", "1d2e84b60"]);
});
