import { makeVisible } from "@deputy/kit";

const LEFT_OUT = "(hidden text left out)";

export interface ShownText {
  readonly text: string;
  readonly truncated: boolean;
  readonly hidden: number;
}

/**
 * A page's text without the pieces that a person would not see, with odd characters made visible, and cut at a line.
 * `unseen` are pieces with single spaces, none of which is also somewhere where it can be seen.
 */
export function shownText(text: string, unseen: readonly string[], maxChars: number): ShownText {
  // The longest first: a piece may hold another.
  const pieces = unseen.toSorted((a, b) => b.length - a.length);
  let hidden = 0;
  let kept = text;
  for (const piece of pieces) {
    const parts = kept.split(piece);
    hidden += parts.length - 1;
    kept = parts.join(LEFT_OUT);
  }
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
