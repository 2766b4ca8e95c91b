/** Where a block is cut, and how far in the line stands that begins there. */
export interface Cut {
  readonly index: number;
  readonly indent: number;
}

/** A line that is longer than this is cut within. */
const LONGEST_LINE = 1_000;
const FENCE = /^\s*(?:>\s*|[*+-]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})/;
const CLOSING = /^\s*(`{3,}|~{3,})\s*$/;

/**
 * Where to cut what is open of a text, near its end and after `from`: at a line that is there, before code that has no
 * end yet, or within a line that is very long. Undefined where all of it is such code, which is read quickly.
 */
export function whereToCut(text: string, from: number): Cut | undefined {
  let fence: string | undefined;
  let at: number | undefined;
  let lineStart = from;
  const lines = text.slice(from).split("\n");
  for (const line of lines.slice(0, -1)) {
    const isOutside = fence === undefined;
    const opened = FENCE.exec(line)?.[1];
    const closed = CLOSING.exec(line)?.[1];
    if (fence === undefined) fence = opened;
    else if (closed?.startsWith(fence) === true) fence = undefined;
    if (isOutside && lineStart > from && line.trim() !== "") at = lineStart;
    lineStart += line.length + 1;
  }
  if (fence !== undefined) return at === undefined ? undefined : cutAt(text, at);
  if (at !== undefined && text.length - at <= LONGEST_LINE) return cutAt(text, at);
  const blank = text.lastIndexOf(" ", text.length - 2) + 1;
  if (blank > Math.max(from, text.length - LONGEST_LINE)) return { index: blank, indent: 0 };
  const isWithinLetter = /[\ud800-\udbff]$/.test(text);
  return { index: text.length - (isWithinLetter ? 1 : 0), indent: 0 };
}

function cutAt(text: string, index: number): Cut {
  return { index, indent: /^ */.exec(text.slice(index))?.[0].length ?? 0 };
}

/** Without so many blanks at the beginning of each line, or as many as it has. */
export function withoutIndent(text: string, chars: number): string {
  return chars === 0 ? text : text.replaceAll(new RegExp(`^ {1,${chars}}`, "gm"), "");
}
