import { byteText, joinBytes } from "./bytes.ts";

/** Which backslash sequences are known: `$'…'`, `echo -e`, `%b` and the format of `printf` differ a little. */
export type EscapeKind = "ansi-c" | "echo" | "printf-b" | "format";

export interface Unescaped {
  readonly text: string;
  /** True after `\c` of `echo -e` and `%b`: nothing more is printed. */
  readonly stop: boolean;
}

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** Never throws: what is no sequence stays as it is. */
export function unescapeText(text: string, kind: EscapeKind): Unescaped {
  if (!text.includes("\\")) return { text, stop: false };
  let out = "";
  let hasBytes = false;
  let i = 0;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char !== "\\" || i === text.length - 1) {
      out += char;
      i += 1;
      continue;
    }
    const next = text.charAt(i + 1);
    const read = readSequence(text, i + 1, next, kind);
    if (read === "stop") return { text: hasBytes ? joinBytes(out) : out, stop: true };
    if (read === undefined) {
      out += `\\${next}`;
      i += 2;
      continue;
    }
    if (read.nul === true && kind === "ansi-c") return { text: out, stop: true };
    out += read.text;
    hasBytes ||= read.byte === true;
    i = read.next;
  }
  return { text: hasBytes ? joinBytes(out) : out, stop: false };
}

interface Sequence {
  readonly text: string;
  readonly next: number;
  readonly byte?: boolean;
  readonly nul?: boolean;
}

function readSequence(
  text: string,
  at: number,
  char: string,
  kind: EscapeKind,
): Sequence | "stop" | undefined {
  const simple = SIMPLE[char];
  if (simple !== undefined) return { text: simple, next: at + 1 };
  if (char === "x") return readNumber(text, at + 1, 16, 2);
  if (char === "u") return readChar(text, at + 1, 4);
  if (char === "U") return readChar(text, at + 1, 8);
  if (char === "0" && kind !== "ansi-c" && kind !== "format") return readNumber(text, at + 1, 8, 3, "empty");
  if (char >= "0" && char <= "7" && kind !== "echo") return readNumber(text, at, 8, 3);
  if (char === "c" && kind !== "ansi-c") return kind === "format" ? undefined : "stop";
  if (char === "c" && at + 1 < text.length) {
    const control = text.charAt(at + 1);
    const next = control === "\\" && text.charAt(at + 2) === "\\" ? at + 3 : at + 2;
    return { text: String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f), next };
  }
  if (kind === "ansi-c" && (char === "'" || char === '"' || char === "?"))
    return { text: char, next: at + 1 };
  if (kind !== "echo" && kind !== "ansi-c" && (char === '"' || char === "'" || char === "?")) {
    return char === "'" && kind === "printf-b" ? undefined : { text: char, next: at + 1 };
  }
  return undefined;
}

function readNumber(
  text: string,
  at: number,
  base: 8 | 16,
  most: number,
  empty?: "empty",
): Sequence | undefined {
  let end = at;
  const digits = base === 16 ? /[0-9a-fA-F]/ : /[0-7]/;
  while (end < at + most && end < text.length && digits.test(text.charAt(end))) end += 1;
  if (end === at) return empty === "empty" ? { text: "\0", next: at, nul: true } : undefined;
  const byte = Number.parseInt(text.slice(at, end), base) & 0xff;
  return { text: byteText(byte), next: end, byte: byte >= 0x80, nul: byte === 0 };
}

function readChar(text: string, at: number, most: number): Sequence | undefined {
  let end = at;
  while (end < at + most && end < text.length && /[0-9a-fA-F]/.test(text.charAt(end))) end += 1;
  if (end === at) return undefined;
  const code = Number.parseInt(text.slice(at, end), 16);
  const valid = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return { text: valid ? String.fromCodePoint(code) : "\ufffd", next: end, nul: code === 0 };
}
