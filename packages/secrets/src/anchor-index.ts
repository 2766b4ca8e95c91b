import type { Anchor } from "./detector.ts";

/** Finds in one pass where any of many short texts begin. */
export interface AnchorIndex {
  add(anchor: Anchor): void;
  /** Where the first one at or after `from` and before `to` begins, or `to`. */
  next(text: string, from: number, to: number): number;
  /** Those that may begin at `at`, by its first three characters; `beginsWith` tells. */
  at(text: string, at: number): readonly Anchor[];
}

const CODE_BITS = 7;
const TRIGRAMS = 1 << (3 * CODE_BITS);
const MASK = TRIGRAMS - 1;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const OTHERS = "_-.:/=|~+<>\"'`@%#$&*(){}[],;?!\\^";
const DIGIT = LETTERS.length + 1;
const SPACE = DIGIT + 1;
const FIRST_WATCHED = SPACE + 1 + OTHERS.length;
const LAST_CODE = (1 << CODE_BITS) - 1;
const ANY_LETTER = "*".charCodeAt(0);
const NO_ANCHORS: readonly Anchor[] = [];
const CODES = Array.from({ length: 1 << CODE_BITS }, (_, code) => code);

/**
 * Three characters decide, by a bit in a table of 256 KiB, of which ASCII uses an eighth; only where it is set, texts
 * are compared. Of the characters beyond ASCII only those that are `watched` are told from the others, without upper
 * and lower case; beyond the 67th, they are not told from each other.
 */
export function createAnchorIndex(watched = ""): AnchorIndex {
  const codes = characterCodes(watched);
  const bits = new Uint8Array(TRIGRAMS >> 3);
  const buckets = new Map<number, Anchor[]>();

  const trigramAt = (text: string, at: number): number =>
    (codeAt(text, at) << (2 * CODE_BITS)) | (codeAt(text, at + 1) << CODE_BITS) | codeAt(text, at + 2);
  const codeAt = (text: string, at: number): number => codes[text.charCodeAt(at)] ?? 0;

  const codesOf = (character: string): readonly number[] => {
    if (character === "*") return CODES.slice(1, DIGIT + 1);
    if (character === "?") return CODES;
    return [character === "#" ? DIGIT : codeAt(character, 0)];
  };
  return {
    add: (anchor) => {
      const { literal, isPlain = false } = anchor;
      const [first = [], second = [], third = []] = literal
        .slice(0, 3)
        .split("")
        .map((character) => (isPlain ? [codeAt(character, 0)] : codesOf(character)));
      for (const a of first)
        for (const b of second)
          for (const c of third) {
            const trigram = (a << (2 * CODE_BITS)) | (b << CODE_BITS) | c;
            bits[trigram >> 3] = (bits[trigram >> 3] ?? 0) | (1 << (trigram & 7));
            const bucket = buckets.get(trigram);
            if (bucket === undefined) buckets.set(trigram, [anchor]);
            else bucket.push(anchor);
          }
    },
    next: (text, from, to) => {
      let trigram = (codeAt(text, from) << CODE_BITS) | codeAt(text, from + 1);
      for (let at = from; at < to; at++) {
        const unit = text.charCodeAt(at + 2);
        trigram = ((trigram << CODE_BITS) | (codes[unit] as number)) & MASK;
        if (((bits[trigram >> 3] as number) & (1 << (trigram & 7))) !== 0) return at;
      }
      return to;
    },
    at: (text, at) => buckets.get(trigramAt(text, at)) ?? NO_ANCHORS,
  };
}

/** True if the rest of the literal, after its first three characters, matches too. */
export function beginsWith(text: string, at: number, literal: string): boolean {
  if (at + literal.length > text.length) return false;
  for (let n = 3; n < literal.length; n++) {
    const unit = text.charCodeAt(at + n);
    const folded = unit >= 65 && unit <= 90 ? unit + 32 : unit;
    const wanted = literal.charCodeAt(n);
    if (folded !== wanted && !(wanted === ANY_LETTER && isLetterOrDigit(folded))) return false;
  }
  return true;
}

function isLetterOrDigit(folded: number): boolean {
  return (folded >= 97 && folded <= 122) || (folded >= 48 && folded <= 57);
}

function characterCodes(watched: string): Uint8Array {
  const codes = new Uint8Array(1 << 16);
  watched.split("").forEach((letter, n) => {
    const code = Math.min(FIRST_WATCHED + n, LAST_CODE);
    codes[letter.charCodeAt(0)] = code;
    codes[letter.toUpperCase().charCodeAt(0)] = code;
  });
  LETTERS.split("").forEach((letter, n) => {
    codes[letter.charCodeAt(0)] = n + 1;
    codes[letter.toUpperCase().charCodeAt(0)] = n + 1;
  });
  for (let digit = 48; digit < 58; digit++) codes[digit] = DIGIT;
  for (const space of " \t\r\n") codes[space.charCodeAt(0)] = SPACE;
  OTHERS.split("").forEach((other, n) => (codes[other.charCodeAt(0)] = SPACE + 1 + n));
  return codes;
}
