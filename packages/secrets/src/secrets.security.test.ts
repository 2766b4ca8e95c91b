import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";
import { ASSIGNED, KEPT, MIXED, privateKey, TOKENS } from "./secrets.fixture.ts";

const redactor = createRedactor([]);

test.each(TOKENS)("[YX1] a token after %j", (before, secret, after) => {
  expect(redactor.text(before + secret + after)).toBe(`${before}[redacted]${after}`);
});

test("[YX1] one token does not hide another, nor what it is assigned to", () => {
  const [first = "", second = ""] = TOKENS.map(([, secret]) => secret);
  const assigned = "q7Zt2LmX9vBn4KcR8sWd5JhG";
  expect(redactor.text(`${first}${first},${second}`)).toBe("[redacted],[redacted]");
  const octopus = ["API", "3F54HJDEX2AY56G4ZB62HMMU8E"].join("-");
  expect(redactor.text(`${octopus} end=${assigned}`)).toBe("[redacted] end=[redacted]");
});

test.each(ASSIGNED)("[YX2] a value after %j", (before, secret, after) => {
  const redacted = redactor.text(before + secret + after);
  expect(redacted).not.toContain(secret);
  expect(redacted).toContain("[redacted]");
  expect(redacted.endsWith(after)).toBe(true);
});

test.each(KEPT)("[YX3] %s", (text) => {
  expect(redactor.text(text)).toBe(text);
});

test.each([MIXED, ...TOKENS.map((sample) => sample.join("")), ...ASSIGNED.map((sample) => sample.join(""))])(
  "[YX7] redacted once is redacted twice",
  (text) => {
    const once = redactor.text(text);
    expect(redactor.text(once)).toBe(once);
  },
);

test("[YX9] a name tells about its value, and JSON stays JSON", () => {
  const value = {
    headers: { Authorization: "Bearer abc123def456ghi789", accept: "text/plain" },
    password: "hunter2-and-more",
    texts: ['a "password": "x', '1234567", "b'],
    list: [{ token: 7 }, null, true],
  };
  expect(redactor.json(value)).toEqual({
    ...value,
    headers: { Authorization: "Bearer [redacted]", accept: "text/plain" },
    password: "[redacted]",
  });
});

test("[YX10] a private key goes with all its lines, in JSON too", () => {
  expect(redactor.text(`a\n${privateKey()}\nb`)).toBe("a\n[redacted]\nb");
  expect(redactor.text(JSON.stringify({ key: privateKey() }))).toBe('{"key":"[redacted]"}');
});

test("[YX10] one that was cut off goes as far as it looks like one", () => {
  const cut = privateKey().slice(0, 500);
  expect(redactor.text(`a ${cut}`)).toBe("a [redacted]");
  expect(redactor.text(`a ${cut}… and more words`)).toBe("a [redacted]… and more words");
});

test("[YX11] a token beyond every limit goes whole", () => {
  const random = "q7Zt2LmX9vBn4KcR8sWd5JhG3pFy6TaQ1eUoIiYx0zVbNkMl";
  const long = ["ya29", random.repeat(1_000)].join(".");
  expect(redactor.text(`<${long}>`)).toBe("<[redacted]>");
  const lines = Array.from({ length: 900 }, () => random).join("\n");
  expect(redactor.text(["-----BEGIN", `PRIVATE KEY-----\n${lines} – end`].join(" "))).toBe("[redacted]– end");
});
