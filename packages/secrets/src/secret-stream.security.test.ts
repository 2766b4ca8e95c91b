import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";
import { LONGEST_WAIT } from "./detector.ts";
import { ASSIGNED, MIXED, TOKENS } from "./secrets.fixture.ts";

const KNOWN = "a known value, with words";
const text = `${MIXED}\n${KNOWN}\n${Buffer.from(`x${KNOWN}y`).toString("base64")}`;

function setup() {
  const redactor = createRedactor([KNOWN]);
  const inPieces = (whole: string, next: () => number): string => {
    const stream = redactor.stream();
    let out = "";
    for (let at = 0; at < whole.length;) {
      const size = next();
      out += stream.push(whole.slice(at, at + size));
      at += size;
    }
    return out + stream.end();
  };
  return { redactor, inPieces };
}

test("[YX4] in pieces of every size from 1 to 64", () => {
  const { redactor, inPieces } = setup();
  const whole = redactor.text(text);
  expect(whole).not.toContain(KNOWN);
  for (let size = 1; size <= 64; size++) expect(inPieces(text, () => size)).toBe(whole);
});

test("[YX4] cut at random, two hundred times", () => {
  const { redactor, inPieces } = setup();
  const whole = redactor.text(text);
  let seed = 42;
  const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let run = 0; run < 200; run++) {
    const longest = 1 + Math.floor(random() * 90);
    expect(inPieces(text, () => 1 + Math.floor(random() * longest))).toBe(whole);
  }
});

test("[YX4] whatever the text is made of", () => {
  const { redactor, inPieces } = setup();
  const parts = [
    ...TOKENS.flat(),
    ...ASSIGNED.flat(),
    "key",
    " = ",
    "'",
    '"',
    "\\",
    "\n",
    "password",
    ": ",
    "curl -u ",
    "-----BEGIN ",
    "kind: Secret data: a: ",
  ];
  const pieces = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 12 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(
      pieces,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      (made, sizes) => {
        const whole = made.join("");
        let n = 0;
        expect(inPieces(whole, () => sizes[n++ % sizes.length] ?? 1)).toBe(redactor.text(whole));
      },
    ),
    { numRuns: 300 },
  );
});

test("[YX5] plain words come out but for the last", () => {
  const stream = setup().redactor.stream();
  expect(stream.push("It is raining in Lisb")).toBe("It is raining in ");
  expect(stream.push("on today")).toBe("Lisbon ");
  expect(stream.end()).toBe("today");
});

test.each([
  "a",
  "-----BEGIN PRIVATE KEY-----\n",
  "sk-proj-",
  'password="',
  "key: ",
  "data: a: ",
  "curl -u '",
  "://a:",
  "eyJ",
  "user,password\n",
  "| user | password |\n",
  "echo x | ",
  "htpasswd -b ",
  "login('",
  "insert into t (password) values ('",
  "пароль: ",
  "密码",
])("[YX5] of %j again and again no more than the limit is held back", (unit) => {
  const stream = setup().redactor.stream();
  let held = 0;
  let most = 0;
  const mark = "[redacted]".length;
  for (let n = 0; n < 1_200; n++) {
    const out = stream.push(unit.repeat(20));
    held = out === "" ? held + unit.length * 20 : 0;
    most = Math.max(most, held);
  }
  expect(most).toBeLessThanOrEqual(LONGEST_WAIT + unit.length * 20 + mark);
});

test("[YX8] what is learned counts in a stream that is open", () => {
  const { redactor } = setup();
  const stream = redactor.stream();
  const before = stream.push("one new-secret-value two ");
  redactor.learn("new-secret-value");
  redactor.learn("new-secret-value");
  const after = stream.push("new-secret-") + stream.push("value three ") + stream.end();
  expect(before + after).toBe("one new-secret-value two [redacted] three ");
  expect(redactor.text("new-secret-value")).toBe("[redacted]");
});
