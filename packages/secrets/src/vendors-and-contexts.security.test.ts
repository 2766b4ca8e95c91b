import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";
import { NOT_SECRETS } from "./not-secrets.fixture.ts";
import {
  PASSWORD_CONTEXTS,
  PASSWORD_SHAPES,
  PASSWORD_SIGNS,
  SAFE_SIGNS,
  TOKEN_CONTEXTS,
} from "./secret-contexts.fixture.ts";
import {
  createDraw,
  type Draw,
  drawChars,
  drawToken,
  VENDOR_FORMATS,
} from "./tokens/vendor-formats.fixture.ts";

const MIN_SHARE = 0.95;
const SAMPLES = 3;
const redactor = createRedactor([]);

/** The share of samples of which nothing is left, and which were. */
function measure(samples: readonly { readonly text: string; readonly secret: string }[]) {
  const left = samples.filter(({ text, secret }) => redactor.text(text).includes(secret));
  return { share: 1 - left.length / samples.length, left: left.map(({ text }) => text) };
}

function drawAll<T>(
  seed: number,
  kinds: readonly string[],
  make: (kind: string, draw: Draw) => T,
): readonly T[] {
  const draw = createDraw(seed);
  return kinds.flatMap((kind) => Array.from({ length: SAMPLES }, () => make(kind, draw)));
}

function drawPassword(context: string, draw: Draw): string {
  const signs = /['"`]@['"`]/.test(context) ? PASSWORD_SIGNS : SAFE_SIGNS;
  const shape = PASSWORD_SHAPES[draw(PASSWORD_SHAPES.length)] ?? "";
  return drawToken(shape, draw).text.replaceAll("ä", () => signs[draw(signs.length)] ?? "!");
}

test("[YX14] tokens in the formats of some 300 vendors are redacted, wherever they stand", () => {
  const around = ["the key is @ ok", "@", '{"x":"@"}', "- use: @\n", "curl -H 'X: @'"];
  const samples = drawAll(1, VENDOR_FORMATS, (format, draw) => {
    const { text, secret } = drawToken(format, draw);
    return {
      text: (around[draw(around.length)] ?? "@").replace("@", () => text),
      secret: longestPart(secret),
    };
  });
  const { share, left } = measure(samples);
  expect(left.length === 0 || share >= MIN_SHARE, left.join("\n")).toBe(true);
});

test("[YX14] passwords are redacted in files, addresses, commands, SQL and sentences, signs and all", () => {
  const samples = drawAll(2, PASSWORD_CONTEXTS, (context, draw) => {
    const secret = drawPassword(context, draw);
    return { text: context.replace("@", () => secret), secret };
  });
  const { share, left } = measure(samples);
  expect(share >= MIN_SHARE, left.join("\n")).toBe(true);
});

test("[YX14] keys and tokens are redacted in headers, cookies, files and commands", () => {
  const samples = drawAll(3, TOKEN_CONTEXTS, (context, draw) => {
    const secret = drawChars(["A", "h", "a", "W"][draw(4)] ?? "A", 32 + draw(20), draw);
    return { text: context.replace("@", () => secret), secret };
  });
  const { share, left } = measure(samples);
  expect(share >= MIN_SHARE, left.join("\n")).toBe(true);
});

test("[YX3] hashes, ids, places, examples, commands without a secret and sentences stay as they are", () => {
  const texts = drawAll(4, NOT_SECRETS, (kind, draw) => drawToken(kind, draw).text);
  expect(texts.filter((text) => redactor.text(text) !== text)).toEqual([]);
});

test("[YX4] in pieces they give what the whole gives", () => {
  const draw = createDraw(5);
  const texts = [...PASSWORD_CONTEXTS, ...TOKEN_CONTEXTS].map((context) =>
    context.replace("@", () => drawPassword(context, draw)),
  );
  const tokens = VENDOR_FORMATS.map((format) => drawToken(format, draw).text);
  const different = [...texts, ...tokens, ...NOT_SECRETS].filter((text) => {
    const padded = `before ${text} after it\n`;
    const stream = redactor.stream();
    let out = "";
    for (let at = 0; at < padded.length;) {
      const next = at + 1 + draw(9);
      out += stream.push(padded.slice(at, next));
      at = next;
    }
    return out + stream.end() !== redactor.text(padded);
  });
  expect(different).toEqual([]);
});

/** What is random in a token, without the signs between its parts. */
function longestPart(secret: string): string {
  return secret
    .split(/[^A-Za-z0-9+/_~-]/)
    .reduce((best, part) => (part.length > best.length ? part : best), "");
}
