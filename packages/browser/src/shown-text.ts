import { makeVisible } from "@deputy/kit";

const LEFT_OUT = "(hidden text left out)";

export interface ShownText {
  readonly text: string;
  readonly truncated: boolean;
  readonly hidden: number;
}

/** A piece of a page's text that a person does not see, with single spaces, and how often it is there. */
export interface UnseenText {
  readonly text: string;
  readonly times: number;
}

/** Shorter pieces may be part of other words. They are not removed, but counted when the text does not have them. */
export const SHORTEST_PIECE = 8;

/**
 * A page's text without the pieces that a person would not see, with odd characters made visible, and cut at a line.
 * No piece of `unseen` is visible elsewhere; `formsOf` gives the ways in which the text may write a piece. It counts
 * all pieces that are not in the result, whichever step removed them.
 */
export function shownText(
  text: string,
  unseen: readonly UnseenText[],
  maxChars: number,
  formsOf: (piece: string) => readonly string[] = (piece) => [piece],
): ShownText {
  // The longest first: a piece may hold another.
  const pieces = unseen.toSorted((a, b) => b.text.length - a.text.length);
  const kept = pieces
    .filter((piece) => piece.text.length >= SHORTEST_PIECE)
    .flatMap((piece) => formsOf(piece.text))
    .reduce((rest, form) => rest.replaceAll(form, () => LEFT_OUT), text);
  const words = kept.replaceAll(LEFT_OUT, "");
  const hidden = pieces
    .filter((piece) => !formsOf(piece.text).some((form) => words.includes(form)))
    .reduce((sum, { times }) => sum + times, 0);
  const visible = makeVisible(kept);
  if (visible.length <= maxChars) return { text: visible, truncated: false, hidden };
  const cut = visible.slice(0, maxChars);
  const line = cut.lastIndexOf("\n");
  return {
    text: line > 0 ? cut.slice(0, line) : cut.replace(/[\ud800-\udbff]$/, ""),
    truncated: true,
    hidden,
  };
}

/** An element as a snapshot names it, `button "Sign in"`, without its state, value and children. */
export function elementName(line: string): string {
  const [first = ""] = line.trim().split("\n");
  return /^(?:- )?'?(?<name>[a-z]+(?: "(?:[^"\\]|\\.)*")?)/.exec(first)?.groups?.["name"] ?? "";
}
