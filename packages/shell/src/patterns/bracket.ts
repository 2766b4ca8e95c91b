/** The classes of POSIX, as they are inside a bracket of a RegExp with the flag `u`. */
const CLASSES: Readonly<Record<string, string>> = {
  alpha: "\\p{L}",
  digit: "0-9",
  alnum: "\\p{L}\\p{N}",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: " \\t\\n\\r\\f\\v",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`\\{-~",
  print: " -~\\u00a0-\\u{10ffff}",
  graph: "!-~\\u00a1-\\u{10ffff}",
  cntrl: "\\u0000-\\u001f\\u007f",
  xdigit: "0-9A-Fa-f",
  word: "\\p{L}\\p{N}_",
  ascii: "\\u0000-\\u007f",
};

export interface Bracket {
  /** A RegExp source that matches one character. */
  readonly source: string;
  readonly end: number;
}

/**
 * Reads `[…]` at `at`, which is at the `[`. Undefined if it has no end, and is a plain `[` then.
 * In a pattern a backslash quotes; in a regular expression it is a character like others.
 */
export function readBracket(text: string, at: number, backslash: "quotes" | "plain"): Bracket | undefined {
  let i = at + 1;
  const negated = text.charAt(i) === "!" && backslash === "quotes" ? true : text.charAt(i) === "^";
  if (negated) i += 1;
  let body = "";
  let first = true;
  let empty = true;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === "]" && !first) {
      const inner = empty ? "" : body;
      if (inner === "") return { source: negated ? "[^]" : "[]", end: i + 1 };
      return { source: negated ? `[^${inner}]` : `[${inner}]`, end: i + 1 };
    }
    first = false;
    if (char === "[" && /[:.=]/.test(text.charAt(i + 1))) {
      const sign = text.charAt(i + 1);
      const end = text.indexOf(`${sign}]`, i + 2);
      if (end !== -1) {
        const name = text.slice(i + 2, end);
        if (sign === ":") body += CLASSES[name] ?? "";
        else body += escapeInBracket(name);
        empty &&= sign === ":" && CLASSES[name] === undefined;
        i = end + 2;
        continue;
      }
    }
    const low = readMember(text, i, backslash);
    i = low.end;
    if (text.charAt(i) === "-" && text.charAt(i + 1) !== "]" && i + 1 < text.length) {
      const high = readMember(text, i + 1, backslash);
      i = high.end;
      if (low.char <= high.char) {
        body += `${escapeInBracket(low.char)}-${escapeInBracket(high.char)}`;
        empty = false;
      }
      continue;
    }
    body += escapeInBracket(low.char);
    empty = false;
  }
  return undefined;
}

function readMember(
  text: string,
  at: number,
  backslash: "quotes" | "plain",
): { readonly char: string; readonly end: number } {
  const from = backslash === "quotes" && text.charAt(at) === "\\" && at + 1 < text.length ? at + 1 : at;
  const char = String.fromCodePoint(text.codePointAt(from) ?? 0);
  return { char, end: from + char.length };
}

function escapeInBracket(text: string): string {
  return text.replaceAll(
    /[^\w\s\u0080-\u{10ffff}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
