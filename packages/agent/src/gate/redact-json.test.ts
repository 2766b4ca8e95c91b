import { createRedactor } from "@deputy/secrets";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitJson, jsonHead } from "./json-head.ts";
import { jsonSize } from "./json-size.ts";
import { redactJson } from "./redact-json.ts";

const SECRET = "hunter2-hunter2-hunter2";
const redactor = createRedactor([SECRET]);

/** As a reader would count them. */
function countValues(value: unknown): { values: number; depth: number } {
  if (typeof value !== "object" || value === null) return { values: 1, depth: 0 };
  const inner = Object.values(value).map(countValues);
  return {
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

test("[A153] values and levels of a JSON text are counted by its characters", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonSize(JSON.stringify(value))).toEqual(countValues(value));
    }),
  );
});

/** What a text may have been cut from: the same, with things missing at its end. */
function isBeginning(head: unknown, whole: unknown): boolean {
  if (typeof head === "string") return typeof whole === "string" && whole.startsWith(head);
  if (typeof head !== "object" || head === null) return Object.is(head, whole) || head === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(head) !== Array.isArray(whole))
    return false;
  const [mine, all] = [Object.entries(head), Object.entries(whole)];
  return mine.every(([key, value], at) => all[at]?.[0] === key && isBeginning(value, all[at][1]));
}

test("[A153] the beginning of any JSON text is the beginning of its value, wherever it is cut", () => {
  const plain = createRedactor([]);
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, chars) => {
      const json = JSON.stringify(value);
      if (typeof value === "object" && value !== null && json.length > chars && chars > 0)
        expect(isBeginning(jsonHead(json, chars, plain), JSON.parse(json))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("[A153] no part of a secret is left where a long result is cut, whatever it stands in", () => {
  for (const wrap of [
    (text: string): unknown => text,
    (text: string): unknown => ({ content: text, more: 1 }),
    (text: string): unknown => [{ lines: [text, "x"] }],
    (text: string): unknown => ({ password: text }),
  ])
    for (let before = 64 * 1024 - 60; before < 64 * 1024; before += 1) {
      const text = `${"word ".repeat(20_000).slice(0, before)} ${SECRET} ${"word ".repeat(20_000)}`;
      const { text: shown, kind } = redactJson(JSON.stringify(wrap(text)), redactor);
      expect(kind).toBe("head");
      expect(shown).not.toContain("hunt");
    }
});

test("[A153] a short result is redacted as it is, and a long one begins as it does", () => {
  const short = { a: SECRET, b: [1, 2] };
  expect(redactJson(JSON.stringify(short), redactor)).toEqual({
    text: '{"a":"[redacted]","b":[1,2]}',
    kind: "json",
  });
  const long = [short, ...Array.from({ length: 20_000 }, (_, n) => ({ n }))];
  const { text, kind } = redactJson(JSON.stringify(long), redactor);
  expect(kind).toBe("head");
  expect(text).toMatch(/^\[\{"a":"\[redacted\]","b":\[1,2\]\},\{"n":0\},\{"n":1\}/);
  expect(text.length).toBeGreaterThan(60_000);
});

test("[A265] a fitted value has about as many characters as asked for, and invents nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 40, max: 300 }), (any, shown) => {
      const whole = JSON.parse(JSON.stringify(any)) as unknown;
      const fitted = fitJson(whole, { redacted: 400, shown }, createRedactor([]));
      expect(JSON.stringify(fitted.value).length).toBeLessThan(shown + 200);
      expect(isPart(fitted.value, whole)).toBe(true);
      if (fitted.parts.length === 0) expect(fitted.value).toEqual(whole);
    }),
    { numRuns: 100 },
  );
});

/** The same, with members missing at ends, and texts that end in a mark. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part === "string")
    return part === whole || (typeof whole === "string" && whole.startsWith(part.replace(/…$/, "")));
  if (typeof part !== "object" || part === null) return Object.is(part, whole);
  if (typeof whole !== "object" || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  const all = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => all.has(key) && isPart(value, all.get(key)));
}

test("[A265] no part of a secret is left where a long text or list is cut", () => {
  for (let before = 64 * 1024 - 60; before < 64 * 1024; before += 7) {
    const text = `${"word ".repeat(20_000).slice(0, before)} ${SECRET} ${"word ".repeat(20_000)}`;
    for (const value of [text, { rows: [text], next: 1 }, { password: text, next: 1 }]) {
      const fitted = fitJson(value, { redacted: 64 * 1024, shown: 64 * 1024 }, redactor);
      expect(JSON.stringify(fitted)).not.toContain("hunt");
    }
  }
});
