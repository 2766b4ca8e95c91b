import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";

const secret = 'sk-"te st"/+ä-0123456789';
const redactor = createRedactor([secret]);
const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

test.each([
  ["raw", secret],
  ["JSON", JSON.stringify({ key: secret })],
  ["URL", `https://x.example/?k=${encodeURIComponent(secret)}`],
  ["hex", bytes(secret).toString("hex")],
  ["HEX", bytes(secret).toString("hex").toUpperCase()],
])("[Y6] redacts it as %s", (_form, text) => {
  expect(redactor.text(`before ${text} after`)).toContain("[redacted]");
  expect(redactor.text(text)).not.toContain(text);
});

test("[Y6] redacts it inside base64 of something longer, at any alignment", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (before, after) => {
      const encoded = bytes(before + secret + after).toString("base64");
      expect(redactor.text(encoded)).toContain("[redacted]");
    }),
  );
});

test("[Y6] redacts values and keys deep inside", () => {
  expect(redactor.json({ a: [{ [secret]: `x${secret}` }], n: 1, z: null })).toEqual({
    a: [{ "[redacted]": "x[redacted]" }],
    n: 1,
    z: null,
  });
});

test.each(["*#?-0123456", "🙂🙂 smile", "\n\tline 1", "ÄÖÜäöüß!"])(
  "[Y6] a value of any characters: %j",
  (value) => {
    expect(createRedactor([value]).text(`<${value}>`)).toBe("<[redacted]>");
  },
);

test("[Y6] a value of any length", () => {
  const long = "k".repeat(300_000);
  expect(createRedactor([long]).text(`<${long}>`)).toBe("<[redacted]>");
});

test("[Y7] short values redact nothing", () => {
  expect(createRedactor(["", "on", "secret"]).text("the secret is on")).toBe("the secret is on");
});
