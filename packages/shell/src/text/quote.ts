/** Text as bash quotes it so that it reads as one word again. */

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
// eslint-disable-next-line no-control-regex
const NEEDS_ANSI = /[\u0000-\u001f\u007f\udc80-\udcff]/;

/** As `declare -p` and `set` show values: `"…"`, or `$'…'` for control characters. */
export function quoteDouble(text: string): string {
  if (NEEDS_ANSI.test(text) && hasControl(text)) return quoteAnsi(text);
  return `"${text.replaceAll(/["$`\\]/g, "\\$&")}"`;
}

/** As `${x@Q}` and `alias` show values: `'…'`, or `$'…'` for control characters. */
export function quoteSingle(text: string): string {
  if (hasControl(text)) return quoteAnsi(text);
  return inQuotes(text);
}

/** In single quotes, whatever is in it: as `trap` and `alias` show texts. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As `printf %q` shows values: backslashes, or `$'…'` for control characters. */
export function quoteBackslash(text: string): string {
  if (text === "") return "''";
  if (hasControl(text)) return quoteAnsi(text);
  let out = "";
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    const special =
      " \t\n!\"$&'()*,;<>?[\\]^`{|}".includes(char) || ((char === "#" || char === "~") && i === 0);
    out += special ? `\\${char}` : char;
  }
  return out;
}

/** As `set -x` shows a word: tabs and newlines stand in quotes as they are. */
export function quoteTrace(text: string): string {
  if (text === "") return "''";
  if (text === "'") return "\\'";
  if (hasControl(text.replaceAll(/[\t\n]/g, ""))) return quoteAnsi(text);
  if (PLAIN.test(text) && !text.startsWith("=")) return text;
  if (!/[\s|&;()<>!{}*[\]?\\$`"'^]|^#|^~|=~/.test(text)) return text;
  return inQuotes(text);
}

/** As `set` shows the value of a variable: bare if it can be, otherwise in single quotes. */
export function quoteBare(text: string): string {
  if (text === "") return "";
  if (hasControl(text)) return quoteAnsi(text);
  return /[\s|&;()<>!{}*[\]?\\$`"'^,]|^#|^~/.test(text) ? quoteSingle(text) : text;
}

function hasControl(text: string): boolean {
  return NEEDS_ANSI.test(text) && (/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed());
}

const NAMES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\u001b": "\\E",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  "'": "\\'",
};

export function quoteAnsi(text: string): string {
  let out = "$'";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const name = NAMES[char];
    if (name !== undefined) out += name;
    else if (code < 0x20 || code === 0x7f) out += `\\${code.toString(8).padStart(3, "0")}`;
    else if (code >= 0xdc80 && code <= 0xdcff) out += `\\${(code - 0xdc00).toString(8)}`;
    else out += char;
  }
  return `${out}'`;
}
