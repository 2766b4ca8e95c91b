import { createSlices } from "@deputy/kit";

/** Counts of what a JSON text contains, from one pass over its characters. */
export interface JsonSize {
  /** How deeply arrays and objects nest. */
  readonly depth: number;
  /** Values in it: objects, arrays, and everything that stands in them. */
  readonly values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Never recurses, however deep the text is. */
export function jsonSize(json: string): JsonSize {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(json, at);
    else if (unit === COMMA) values += 1;
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      const next = json.charCodeAt(at + 1);
      if (next !== CLOSE_ARRAY && next !== CLOSE_OBJECT) values += 1;
    } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth -= 1;
  }
  return { depth: deepest, values };
}

/** The index of the closing quote of the string that begins at `from`. */
export function endOfString(json: string, from: number): number {
  let end = from;
  do end = json.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(json, end));
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** Deeper values are refused as inputs and kept as text in events, because code that reads them may recurse. */
export const DEEPEST_JSON = 200;

/** Reading or writing so much takes some milliseconds. */
const LARGE_CHARS = 256 * 1024;

/** Parts the steps of long work on a large result: everything else that is due runs in between. */
export async function pauseForLarge(json: string | undefined): Promise<void> {
  if (json !== undefined && json.length > LARGE_CHARS) await createSlices().next();
}
