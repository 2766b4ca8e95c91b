import { type Anchor, beginsWord, type Detect, isOpen, MORE, NONE, secret } from "../detector.ts";
import { isExample, isRandom } from "../plausible.ts";
import { prefixedRows } from "./prefixed-tokens.ts";
import { LONGEST_TOKEN, TOKEN_ROWS, type TokenRow } from "./token-rules.ts";

/** No shape is longer: three parts of `LONGEST_TOKEN`, and their prefixes. */
const WINDOW = 4 * LONGEST_TOKEN;
/** The part of a token that shows whether it is an example. */
const MEASURED = 64;

/** The table of tokens as anchors; each expression is compiled when its anchor is first seen. */
export function tokenAnchors(): Anchor[] {
  return [...TOKEN_ROWS, ...prefixedRows()].flatMap((row) => {
    const detect = detectToken(row);
    return row[1].split(" ").map((literal) => ({ literal: literal.toLowerCase(), detect }));
  });
}

function detectToken([, , shape, flags = "", before = 0]: TokenRow): Detect {
  let pattern: RegExp | undefined;
  const beginsWhere = /[wb]/.test(flags);
  const endsWord = /[we]/.test(flags);
  const isDrawn = flags.includes("r");
  const looksRandom = flags.includes("h");
  return (view, at, anchorEnd) => {
    const { text } = view;
    const start = at - before;
    if (start < 0 || (beginsWhere && !beginsWord(view, start))) return NONE;
    if (isOpen(view, at, WINDOW)) return MORE;
    pattern ??= new RegExp(shape, flags.includes("i") ? "iy" : "y");
    pattern.lastIndex = shape.startsWith("(?<=") && !shape.startsWith("(?<=(?") ? anchorEnd : start;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return NONE;
    const from = pattern.lastIndex - found.length;
    if (endsWord && /\w/.test(text.charAt(pattern.lastIndex))) return NONE;
    if (isDrawn && !isRandom(found.slice(anchorEnd - from, anchorEnd - from + MEASURED))) return NONE;
    if (looksRandom && isExample(found.slice(0, MEASURED))) return NONE;
    return secret(from, pattern.lastIndex, found.length >= LONGEST_TOKEN ? "token" : undefined);
  };
}
