import { expect, test } from "vitest";
import { createRedactor } from "../redactor.ts";
import { COMMAND_VALUES } from "../commands/command-values.fixture.ts";
import { DOCUMENTED_TOKENS } from "../tokens/documented-tokens.fixture.ts";
import { KEPT_TEXTS } from "./kept-texts.fixture.ts";
import { drawNamedValues, drawValue, VALUE_KINDS } from "./named-values.fixture.ts";
import { createDraw, drawToken } from "../tokens/vendor-formats.fixture.ts";

const MIN_SHARE = 0.95;
/** So many characters of a secret in a row are a part of it that was left. */
const TELLING_PART = 4;
/** What a shell, an address or a pair of user and password would end a word at. */
const NOT_IN_WORDS = " '\"`\\$&|;<>(){}[]*?!#~^@:/%,=";
const redactor = createRedactor([]);

interface Sample {
  readonly text: string;
  readonly secret: string;
}

/** The share of samples of which no part is left, and which have one. */
function measure(samples: readonly Sample[]) {
  const left = samples.filter(({ text, secret }) => {
    const out = redactor.text(text);
    const around = text.replace(secret, "");
    return parts(secret).some((part) => out.includes(part) && !around.includes(part));
  });
  return { share: 1 - left.length / samples.length, left: left.map(({ text }) => text).join("\n") };
}

function parts(secret: string): readonly string[] {
  return Array.from({ length: Math.max(0, secret.length - TELLING_PART + 1) }, (_, at) =>
    secret.slice(at, at + TELLING_PART),
  );
}

function inPieces(text: string, next: () => number): string {
  const stream = redactor.stream();
  let out = "";
  for (let at = 0; at < text.length;) {
    const size = next();
    out += stream.push(text.slice(at, at + size));
    at += size;
  }
  return out + stream.end();
}

function commandSamples(seed: number): readonly Sample[] {
  const draw = createDraw(seed);
  return COMMAND_VALUES.flatMap((command) =>
    VALUE_KINDS.filter((kind) => kind !== "phrase" && kind !== "accents").map((kind) => {
      const secret = drawValue(kind, NOT_IN_WORDS, draw);
      return { text: command.replaceAll("{v}", () => secret), secret };
    }),
  );
}

test.each([21, 22, 23])(
  "[YX15] a value whose name says that it is secret goes whole, in every syntax (%i)",
  (seed) => {
    const { share, left } = measure(drawNamedValues(createDraw(seed), 1));
    expect(share, left).toBeGreaterThanOrEqual(MIN_SHARE);
  },
);

test("[YX15] values full of signs go up to their end", () => {
  const { share, left } = measure(drawNamedValues(createDraw(24), 4).filter(({ kind }) => kind === "signs"));
  expect(share, left).toBeGreaterThanOrEqual(MIN_SHARE);
});

test.each([
  ["DB_PASSWORD=a@b!c#d$e%f^&*(", "DB_PASSWORD=[redacted]"],
  ["machine h login ada password correcthorse", "machine h login ada password [redacted]"],
  ["lftp -u ada,l0velace sftp://h", "lftp -u ada,[redacted] sftp://h"],
  ["htpasswd -b -c f ada l0velace", "htpasswd -b -c f ada [redacted]"],
  ["| password | hunter2x! |", "| password | [redacted] |"],
  [
    "| user | password |\n|---|---|\n| ada | l0velace |\n| bob | hunter |",
    "| user | password |\n|---|---|\n| ada | [redacted] |\n| bob | [redacted] |",
  ],
  ["user,password\nada,l0velace\nbob,hunter\n", "user,password\nada,[redacted]\nbob,[redacted]\n"],
  ["Passwort: geheim99", "Passwort: [redacted]"],
  ["密码：l0velace", "密码：[redacted]"],
  ["API-Schlüssel = l0velace99", "API-Schlüssel = [redacted]"],
  ["echo l0velace | sudo -S id", "echo [redacted] | sudo -S id"],
  ["echo l0velace | cryptsetup open /dev/sda2 x", "echo [redacted] | cryptsetup open /dev/sda2 x"],
  [
    "docker login -u ada --password-stdin <<< 'l0velace'",
    "docker login -u ada --password-stdin <<< '[redacted]'",
  ],
  [
    "INSERT INTO users (name, password) VALUES ('ada', 'l0velace'), ('bob', 'hunter')",
    "INSERT INTO users (name, password) VALUES ('ada', '[redacted]'), ('bob', '[redacted]')",
  ],
])("[YX15] %j", (text, redacted) => {
  expect(redactor.text(text)).toBe(redacted);
});

test("[YX14] on command lines, in lines of configuration and in calls, 95 of 100", () => {
  const { share, left } = measure([...commandSamples(25), ...commandSamples(26)]);
  expect(share, left).toBeGreaterThanOrEqual(MIN_SHARE);
});

test("[YX14] of tokens as their vendors document them, 95 of 100", () => {
  const draw = createDraw(27);
  const around = ["the x is @ ok", "@", '{"x":"@"}', "a\n@\nb"];
  const samples = DOCUMENTED_TOKENS.flatMap((format) =>
    around.map((place) => {
      const { text, secret } = drawToken(format, draw);
      return { text: place.replace("@", () => text), secret: longestPart(secret) };
    }),
  );
  const { share, left } = measure(samples);
  expect(share, left).toBeGreaterThanOrEqual(MIN_SHARE);
});

test("[YX3] words about secrets, types, expressions, tables, code in ten languages and logs stay as they are", () => {
  const draw = createDraw(28);
  const texts = KEPT_TEXTS.map((text) => drawToken(text, draw).text);
  expect(texts.filter((text) => redactor.text(text) !== text)).toEqual([]);
});

test("[YX4] in pieces, however they are cut, they give what the whole gives", () => {
  const draw = createDraw(29);
  const texts = [
    ...drawNamedValues(draw, 1).map(({ text }) => text),
    ...commandSamples(30)
      .filter((_, n) => n % 3 === 0)
      .map(({ text }) => text),
    ...KEPT_TEXTS,
  ].map((text) => `before ${text} after it\n\nend`);
  const different = texts.filter((text) => {
    const whole = redactor.text(text);
    return inPieces(text, () => 1 + draw(9)) !== whole;
  });
  expect(different).toEqual([]);
});

/** What is random in a token, without the signs between its parts. */
function longestPart(secret: string): string {
  return secret
    .split(/[^A-Za-z0-9+/_~-]/)
    .reduce((best, part) => (part.length > best.length ? part : best), "");
}
