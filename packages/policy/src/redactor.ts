import { redactAcross } from "./secrets/across-pieces.ts";
import { redactLeaves } from "./secrets/json-leaves.ts";
import { knownValueAnchors } from "./secrets/known-values.ts";
import { createPieceStream, type PieceStream } from "./secrets/piece-stream.ts";
import { createSecretScanner, type SecretScanner } from "./secrets/secret-scanner.ts";
import { createSecretStream, type SecretStream } from "./secrets/secret-stream.ts";

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
