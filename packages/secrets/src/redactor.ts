import { redactAcross, createPieceStream, type PieceStream } from "./piece-stream.ts";
import { createSecretScanner, type SecretScanner } from "./secret-scanner.ts";
import { createSecretStream, type SecretStream } from "./secret-stream.ts";
import { type Anchor, type Detect, MORE, NONE, secret } from "./detector.ts";

/** Shorter values would redact ordinary words. */
const SHORTEST_SECRET = 8;

/** With more text than that, strings are looked at one by one only: rows take a tenth of a second for each megabyte. */
const MOST_CHARS = 256 * 1024;

/** Takes secrets out of what is logged, shown or sent: known values, and what looks like one. */
export interface Redactor {
  /** Applied to its own result, it changes nothing in any usual text (YX7). */
  text(text: string): string;
  /**
   * A copy with every string in it (keys too) redacted. A value under a name for secrets is one more easily. A known
   * value is found also in parts, in strings that follow each other, or do so at the same place of a list's elements.
   */
  json<T>(value: T): T;
  /** For a text that comes in pieces. Values learned meanwhile count. */
  stream(): SecretStream;
  /** For pieces that stay pieces, such as lines of progress. Values learned meanwhile count. */
  pieces(): PieceStream;
  /** From now on this value is known too. Idempotent. */
  learn(value: string): void;
}

/** Stands where a secret was. */
export const REDACTED = "[redacted]";

/** A name that says something about its value. */
const TELLING = /pass|pwd|secret|token|key|auth|cred|api/i;

/** Knows these values, and the public formats of tokens. Tables are built when the first text comes. */
export function createRedactor(secrets: readonly string[]): Redactor {
  return createRedactorOver("with-patterns", secrets);
}

/** Knows these values only; with none, it redacts nothing. For what is redacted already. */
export function createValueRedactor(secrets: readonly string[]): Redactor {
  return createRedactorOver("known-only", secrets);
}

function createRedactorOver(patterns: "with-patterns" | "known-only", secrets: readonly string[]): Redactor {
  const known = new Set(secrets);
  let built: SecretScanner | undefined;
  let builtKnown: SecretScanner | undefined;
  const scanner = (): SecretScanner => {
    if (built === undefined) {
      built = createSecretScanner(patterns);
      for (const value of known) built.add(knownValueAnchors(value));
    }
    return built;
  };

  /** Only for known values. Text that merely looks like a secret is recognised in one piece. */
  const knownScanner = (): SecretScanner => {
    if (patterns === "known-only") return scanner();
    if (builtKnown === undefined) {
      builtKnown = createSecretScanner("known-only");
      for (const value of known) builtKnown.add(knownValueAnchors(value));
    }
    return builtKnown;
  };

  const stream = (): SecretStream => createSecretStream(scanner(), REDACTED);
  const text = (raw: string): string => {
    if (raw.length < SHORTEST_TEXT) return raw;
    const whole = stream();
    return whole.push(raw) + whole.end();
  };
  const member = (key: string, value: unknown): unknown => {
    if (typeof value !== "string" || patterns === "known-only" || !TELLING.test(key)) return json(value);
    const prefix = `${key}: `;
    const assigned = text(prefix + value);
    return assigned.startsWith(prefix) ? assigned.slice(prefix.length) : text(value);
  };
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [text(key), member(key, held)]));
  };
  return {
    text,
    json: <T>(value: T) => {
      if (known.size === 0) return json(value) as T;
      return json(redactLeaves(value, (texts) => redactAcross(knownScanner(), texts, REDACTED))) as T;
    },
    stream,
    pieces: () => createPieceStream(knownScanner(), text, REDACTED),
    learn: (value) => {
      if (known.has(value)) return;
      known.add(value);
      built?.add(knownValueAnchors(value));
      builtKnown?.add(knownValueAnchors(value));
    },
  };
}

/** Nothing shorter is a secret. */
const SHORTEST_TEXT = 6;

/** Removes secrets that are split over consecutive texts; undefined if there are none. */
type RedactRow = (texts: readonly string[]) => readonly string[] | undefined;

/**
 * A value whose strings were redacted as rows: all of them in their order, and those at the same place in the elements
 * of a list, such as every `delta` of a stream. The value itself when there was nothing to redact.
 */
function redactLeaves(value: unknown, redactRow: RedactRow): unknown {
  const texts: string[] = [];
  const places = new Map<string, number[]>();
  collect(value, "", texts, places);
  if (texts.length < 2 || texts.reduce((sum, { length }) => sum + length, 0) > MOST_CHARS) return value;
  const all = texts.map((_, n) => n);
  let isChanged = false;
  for (const row of [all, ...places.values()]) {
    if (row.length < 2 || (row !== all && row.length === all.length)) continue;
    const redacted = redactRow(row.map((n) => texts[n] ?? ""));
    if (redacted === undefined) continue;
    isChanged = true;
    for (const [at, n] of row.entries()) texts[n] = redacted[at] ?? "";
  }
  return isChanged ? rebuild(value, texts.values()) : value;
}

function collect(value: unknown, place: string, texts: string[], places: Map<string, number[]>): void {
  if (typeof value === "string") {
    const row = places.get(place);
    if (row === undefined) places.set(place, [texts.length]);
    else row.push(texts.length);
    texts.push(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, `${place}[]`, texts, places);
  else if (typeof value === "object" && value !== null)
    for (const [key, held] of Object.entries(value)) collect(held, `${place}.${key}`, texts, places);
}

function rebuild(value: unknown, texts: Iterator<string>): unknown {
  if (typeof value === "string") return texts.next().value;
  if (Array.isArray(value)) return value.map((item) => rebuild(item, texts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, rebuild(held, texts)]));
}

/** Finds a known value raw, JSON-escaped, URL-encoded, and as base64 or hex. */
function knownValueAnchors(value: string): Anchor[] {
  if (value.length < SHORTEST_SECRET) return [];
  return [...new Set(formsOf(value))].map((form) => ({
    literal: form.slice(0, 3).toLowerCase(),
    isPlain: true,
    detect: detectForm(form),
  }));
}

function detectForm(form: string): Detect {
  return ({ text, isFinal }, at) => {
    if (text.startsWith(form, at)) return secret(at, at + form.length);
    return !isFinal && text.length - at < form.length && form.startsWith(text.slice(at)) ? MORE : NONE;
  };
}

function formsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  // Base64 of the value inside a longer text depends on where it starts; the middle characters do not.
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = btoa("\0".repeat(shift) + binary);
    return encoded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((bytes.length + shift) * 8) / 6));
  });
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}
