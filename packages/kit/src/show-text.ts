import { makeVisible } from "./make-visible.ts";

/**
 * Characters that leave nothing on the screen: blanks of every script, line ends, controls, zero-width and filler
 * characters, the empty braille cell and the empty note.
 */
const BLANK = String.raw`[\s\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]`;
const BLANK_RUN = new RegExp(`${BLANK}{4,}`, "gu");
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const PLAIN = /[ \t\r\n]/g;

/** A longer run is replaced by its count, because it would push the rest out of sight. */
const MOST_BLANK_LINES = 3;
const MOST_BLANKS = 39;

/**
 * Text that a person can judge: nothing in it is invisible (see `makeVisible`), and long runs of blanks of
 * any kind are replaced by their count, so that nothing hides behind them.
 */
export function showText(text: string): string {
  return makeVisible(collapse(text, "\n"));
}

/** The same on one line: line breaks are spelled out. */
export function showOnOneLine(text: string): string {
  return makeVisible(collapse(text, " ")).replace(/[\n\t]/g, (char) => (char === "\n" ? "\\u{a}" : "\\u{9}"));
}

/** The longest run of blanks that `showText` would count, in words: `300 blank lines`. */
export function longestBlanks(text: string): string | undefined {
  const told = [...text.matchAll(BLANK_RUN)].flatMap(({ 0: run, index }) => {
    const words = describeRun(run, index > 0) ?? describeLongestLine(run);
    return words === undefined ? [] : [{ words, length: run.length }];
  });
  return told.toSorted((a, b) => b.length - a.length)[0]?.words;
}

function collapse(text: string, around: "\n" | " "): string {
  return text.replace(BLANK_RUN, (run, at: number) => {
    const lines = describeRun(run, at > 0);
    if (lines === undefined) return run.replace(LONG_BLANKS, (blanks) => `[… ${countBlanks(blanks)} …]`);
    const before = at > 0 ? around : "";
    return `${before}[… ${lines} …]${at + run.length < text.length ? around : ""}`;
  });
}

const LONG_BLANKS = new RegExp(
  `(?:(?![\\n\\v\\f\\r\\u0085\\u2028\\u2029])${BLANK}){${MOST_BLANKS + 1},}`,
  "gu",
);

/** Undefined for a run of few lines. */
function describeRun(run: string, isAfterText: boolean): string | undefined {
  const lines = (run.match(LINE_END)?.length ?? 0) - (isAfterText ? 1 : 0);
  if (lines <= MOST_BLANK_LINES) return undefined;
  return `${lines} blank lines${hiddenIn(run)}`;
}

function describeLongestLine(run: string): string | undefined {
  const [longest] = (run.match(LONG_BLANKS) ?? []).toSorted((a, b) => b.length - a.length);
  return longest === undefined ? undefined : countBlanks(longest);
}

function countBlanks(blanks: string): string {
  return `${charCount(blanks)} blanks${hiddenIn(blanks)}`;
}

/** Special blanks can carry a meaning for a program that reads them. */
function hiddenIn(run: string): string {
  const hidden = charCount(run.replace(PLAIN, ""));
  return hidden === 0 ? "" : `, with ${hidden} hidden ${hidden === 1 ? "character" : "characters"}`;
}

function charCount(text: string): number {
  return text.match(/./gsu)?.length ?? 0;
}
