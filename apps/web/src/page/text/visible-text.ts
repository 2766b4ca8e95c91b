export type TextPiece =
  | { readonly kind: "plain"; readonly text: string }
  /** A character that is invisible or misleading; `text` is its name. */
  | { readonly kind: "marked"; readonly text: string };

/** Longer runs of blanks could push the text after them out of sight. */
const LONGEST_BLANK_RUN = 40;
const LONGEST_LINE_RUN = 5;

const HIDDEN = String.raw`(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;

/**
 * Splits text so that nothing in it can mislead: control, bidirectional, zero-width and other
 * invisible characters are named, and long runs of blanks are counted. The rest stays as it is.
 */
export function visibleText(text: string): readonly TextPiece[] {
  const suspect = new RegExp(
    `${HIDDEN}|[ \\t]{${LONGEST_BLANK_RUN + 1},}|\\n{${LONGEST_LINE_RUN + 1},}`,
    "gu",
  );
  const pieces: TextPiece[] = [];
  let done = 0;
  for (const match of text.matchAll(suspect)) {
    if (match.index > done) pieces.push({ kind: "plain", text: text.slice(done, match.index) });
    pieces.push({ kind: "marked", text: nameOf(match[0]) });
    done = match.index + match[0].length;
  }
  if (done < text.length) pieces.push({ kind: "plain", text: text.slice(done) });
  return pieces;
}

function nameOf(hidden: string): string {
  if (hidden.startsWith("\n")) return `${hidden.length} line breaks`;
  if (hidden.length > 2) return `${hidden.length} blanks`;
  return `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A value as indented JSON, complete. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "nothing";
}
