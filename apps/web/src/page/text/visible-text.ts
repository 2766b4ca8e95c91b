export type TextPiece =
  | { readonly kind: "plain"; readonly text: string }
  /** A character that is invisible or misleading; `text` is its name. */
  | { readonly kind: "marked"; readonly text: string };

/** Longer runs of blanks could push the text after them out of sight. */
const LONGEST_BLANK_RUN = 40;
const LONGEST_LINE_RUN = 5;

/**
 * Letters and signs of which none is hidden. Most texts have no others, and are seen to in a moment: browsers take a
 * frame's time to get a rule ready that knows all of Unicode, and do it again after a while.
 */
const ORDINARY =
  /^[\n\t\x20-\x7e\xa1-\xac\xae-\u034e\u0370-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3001-\u3029\u3041-\u3096\u3099-\u30ff\u4e00-\u9fff\uff01-\uff5e]*$/;
const LONG_RUN = new RegExp(`[ \\t]{${LONGEST_BLANK_RUN + 1}}|\\n{${LONGEST_LINE_RUN + 1}}`);

const HIDDEN = String.raw`(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;

const SUSPECT = new RegExp(`${HIDDEN}|[ \\t]{${LONGEST_BLANK_RUN + 1},}|\\n{${LONGEST_LINE_RUN + 1},}`, "gu");

/**
 * Splits text so that nothing in it can mislead: control, bidirectional, zero-width and other
 * invisible characters are named, and long runs of blanks are counted. The rest stays as it is.
 */
export function visibleText(text: string): readonly TextPiece[] {
  if (text !== "" && ORDINARY.test(text) && !LONG_RUN.test(text)) return [{ kind: "plain", text }];
  const pieces: TextPiece[] = [];
  let done = 0;
  for (const match of text.matchAll(SUSPECT)) {
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
