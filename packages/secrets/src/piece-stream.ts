import type { SecretScanner } from "./secret-scanner.ts";

/**
 * Redacts what comes as pieces that stay pieces, such as lines of progress. A known value that is told in several of
 * them, one right after the other, is redacted in each. So a piece that ends like the beginning of one is held back
 * until the next has come. Limit: up to two characters of a value may have been given out before it is known for one.
 */
export interface PieceStream {
  /** The pieces that are certain by now, in order, each redacted; often just this one. */
  push(piece: string): readonly string[];
  /** Those that were held back. */
  end(): readonly string[];
}

/** Fewer characters are the beginning of nothing: anchors have three. */
const KEPT_CHARS = 2;
const MOST_HELD = 1_000;

export function createPieceStream(
  scanner: SecretScanner,
  clean: (text: string) => string,
  mark: string,
): PieceStream {
  /** The end of what was given out, as it was. */
  let before = "";
  let held: readonly string[] = [];

  const release = (count: number): readonly string[] => {
    const released = held.slice(0, count);
    before = (before + released.join("")).slice(-KEPT_CHARS);
    held = held.slice(count);
    return released.map(clean);
  };
  /** How many of those that are held back can be part of nothing that is yet to come. */
  const countCertain = (): number => {
    const text = before + held.join("");
    const view = { text, isFinal: false, openFrom: text.length, redactedTo: 0 };
    let at = 0;
    for (;;) {
      const finding = scanner.next(view, at, text.length);
      if (finding === undefined) return held.length;
      at = finding.at + 1;
      if (finding.verdict.kind === "more") break;
    }
    let end = before.length;
    const first = held.findIndex((piece) => (end += piece.length) >= at);
    return Math.max(first, 0);
  };
  return {
    push(piece) {
      held = [...held, piece];
      held = redactAcross(scanner, [before, ...held], mark)?.slice(1) ?? held;
      return release(held.length > MOST_HELD ? held.length : countCertain());
    },
    end: () => release(held.length),
  };
}

/**
 * Texts that follow each other, without the known values that lie in more than one of them when they are put together
 * with nothing in between: each that had a part of one has the mark in its place. Undefined when there are none. The
 * scanner must be one of known values only.
 */
export function redactAcross(
  scanner: SecretScanner,
  texts: readonly string[],
  mark: string,
): readonly string[] | undefined {
  const text = texts.join("");
  const view = { text, isFinal: true, openFrom: text.length, redactedTo: 0 };
  const starts = startsOf(texts);
  const gaps: Gap[] = [];
  let piece = 0;
  for (let at = 0; ;) {
    const finding = scanner.next(view, at, text.length);
    if (finding === undefined) break;
    at = finding.at + 1;
    if (finding.verdict.kind !== "secret") continue;
    while ((starts[piece + 1] ?? text.length) <= finding.at) piece++;
    const pieceEnd = starts[piece + 1] ?? text.length;
    for (const { start, end } of finding.verdict.spans) if (end > pieceEnd) addGap(gaps, start, end);
  }
  return gaps.length === 0 ? undefined : withoutGaps(texts, starts, gaps, mark);
}

interface Gap {
  readonly start: number;
  end: number;
}

/** In order of their starts; those that overlap become one. */
function addGap(gaps: Gap[], start: number, end: number): void {
  const last = gaps.at(-1);
  if (last === undefined || start >= last.end) gaps.push({ start, end });
  else last.end = Math.max(last.end, end);
}

function startsOf(texts: readonly string[]): readonly number[] {
  let at = 0;
  return texts.map(({ length }) => (at += length) - length);
}

function withoutGaps(
  texts: readonly string[],
  starts: readonly number[],
  gaps: readonly Gap[],
  mark: string,
): readonly string[] {
  let next = 0;
  return texts.map((text, n) => {
    const from = starts[n] ?? 0;
    let out = "";
    let given = 0;
    for (let gap = gaps[next]; gap !== undefined && gap.start < from + text.length; gap = gaps[next]) {
      if (gap.end > from) {
        out += text.slice(given, Math.max(gap.start - from, 0)) + mark;
        given = Math.min(gap.end - from, text.length);
      }
      // It goes on in the next text.
      if (gap.end > from + text.length) break;
      next += 1;
    }
    return out + text.slice(given);
  });
}
