/**
 * Text inside the shell is a JavaScript string. Bytes that are not UTF-8 stand in it as lone surrogates U+DC80…U+DCFF,
 * one for each byte, so that whatever was read is written back unchanged.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const ESCAPE_BASE = 0xdc00;

/** The text of a byte that belongs to no character. */
export function byteText(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(ESCAPE_BASE + byte);
}

/** Never throws. What is not UTF-8 is kept byte by byte. */
export function decodeBytes(bytes: Uint8Array): string {
  const ascii = decodeAscii(bytes);
  if (ascii !== undefined) return ascii;
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeByByte(bytes);
  }
}

const SHORT = 64;

function decodeAscii(bytes: Uint8Array): string | undefined {
  if (bytes.length > SHORT) return undefined;
  let text = "";
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

function decodeByByte(bytes: Uint8Array): string {
  let text = "";
  let i = 0;
  while (i < bytes.length) {
    const length = sequenceLength(bytes, i);
    if (length === 0) {
      text += byteText(bytes[i] ?? 0);
      i += 1;
      continue;
    }
    text += length === 1 ? String.fromCharCode(bytes[i] ?? 0) : decoder.decode(bytes.subarray(i, i + length));
    i += length;
  }
  return text;
}

/** How many bytes the character at `i` has; 0 if there is none. */
export function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || lead > 0xf4 || i + length > bytes.length) return 0;
  for (let k = 1; k < length; k += 1) if (((bytes[i + k] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[i + 1] ?? 0;
  if (lead === 0xe0 && second < 0xa0) return 0;
  if (lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90) return 0;
  if (lead === 0xf4 && second > 0x8f) return 0;
  return length;
}

/** The bytes that `decodeBytes` would make this text of. */
export function encodeText(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const out: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) out.push(code - ESCAPE_BASE);
    else for (const byte of encoder.encode(char)) out.push(byte);
  }
  return Uint8Array.from(out);
}

/** Joins escaped bytes that have become characters by being put side by side. */
export function joinBytes(text: string): string {
  return text.isWellFormed() ? text : decodeBytes(encodeText(text));
}

/** The text with a character for each of its bytes, as the locale `C` sees it. */
export function splitBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- this is what ASCII is
  if (!/[^\u0000-\u007f]/.test(text)) return text;
  return Array.from(encodeText(text), (byte) => byteText(byte)).join("");
}

/** How many characters a text has, as bash counts in UTF-8. */
export function countChars(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) count -= 1;
  }
  return count;
}

const ASTRAL = /[\ud800-\udbff]/;

/** The characters from `from` up to `to`. */
export function sliceChars(text: string, from: number, to: number): string {
  if (!ASTRAL.test(text)) return text.slice(from, to);
  return Array.from(text).slice(from, to).join("");
}
