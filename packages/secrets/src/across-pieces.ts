import type { SecretScanner } from "./secret-scanner.ts";

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
