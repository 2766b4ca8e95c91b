import { type Run, joinAlike } from "./styled-text.ts";

/** Where a text may be cut, the best first: between paragraphs, lines, words. */
const SEAMS: readonly RegExp[] = [/\n\n/g, /\n/g, /\s/g];
/** A seam in the first part of a message would leave it nearly empty. */
const LEAST_FILLED = 0.5;

/**
 * The runs in messages that the app takes, each of at most `max` as the app measures it. Cut between paragraphs if
 * that fills a message well enough, otherwise between lines, words, or anywhere but inside a character. Styles go on in
 * the next message. Nothing is lost but blanks at the seams. An empty text has no messages.
 */
export function cutRuns(
  runs: readonly Run[],
  max: number,
  measure: (runs: readonly Run[]) => number,
): readonly (readonly Run[])[] {
  const messages: (readonly Run[])[] = [];
  let rest = trimStart(runs);
  while (rest.length > 0) {
    if (measure(rest) <= max) {
      messages.push(rest);
      break;
    }
    const [head, tail] = splitAt(rest, bestCut(rest, max, measure));
    const shown = trimEnd(head);
    if (shown.length > 0) messages.push(shown);
    rest = trimStart(tail);
  }
  return messages;
}

function bestCut(runs: readonly Run[], max: number, measure: (runs: readonly Run[]) => number): number {
  const text = textOf(runs);
  const most = largestFit(text, max, (length) => measure(splitAt(runs, length)[0]));
  for (const seam of SEAMS) {
    const cut = lastMatch(text.slice(0, most), seam);
    if (cut >= most * LEAST_FILLED && cut > 0) return cut;
  }
  return most;
}

/** The longest beginning that fits; at least one character, or it would never end. */
function largestFit(text: string, max: number, lengthOf: (length: number) => number): number {
  let fits = 0;
  let over = Math.min(text.length, max) + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (lengthOf(middle) <= max) fits = middle;
    else over = middle;
  }
  const whole = beforeCharacter(text, fits);
  return whole > 0 ? whole : firstCharacter(text);
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** No character as people count them is longer. */
const LONGEST_CHARACTER = 100;

/** The place itself, or the beginning of the character that it is inside of. */
function beforeCharacter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const from = Math.max(0, at - LONGEST_CHARACTER);
  const around = CHARACTERS.segment(text.slice(from, at + LONGEST_CHARACTER)).containing(at - from);
  return from + (around?.index ?? at - from);
}

function firstCharacter(text: string): number {
  const [first] = CHARACTERS.segment(text.slice(0, LONGEST_CHARACTER));
  return first?.segment.length ?? 1;
}

function lastMatch(text: string, seam: RegExp): number {
  let last = 0;
  for (const { index } of text.matchAll(seam)) last = index;
  return last;
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join("");
}

function splitAt(runs: readonly Run[], at: number): readonly [readonly Run[], readonly Run[]] {
  const [head, tail]: [Run[], Run[]] = [[], []];
  let left = at;
  for (const { text, styles } of runs) {
    const taken = Math.max(0, Math.min(left, text.length));
    if (taken > 0) head.push({ text: text.slice(0, taken), styles });
    if (taken < text.length) tail.push({ text: text.slice(taken), styles });
    left -= taken;
  }
  return [head, tail];
}

/** Code keeps its indentation: of it, only whole blank lines go. */
function trimStart(runs: readonly Run[]): readonly Run[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const isCode = first.styles.some(({ kind }) => kind === "block" || kind === "code");
  const text = isCode ? first.text.replace(/^\n+/, "") : first.text.trimStart();
  return text === "" ? trimStart(others) : joinAlike([{ ...first, text }, ...others]);
}

function trimEnd(runs: readonly Run[]): readonly Run[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const text = last.text.trimEnd();
  return text === "" ? trimEnd(runs.slice(0, -1)) : [...runs.slice(0, -1), { ...last, text }];
}
