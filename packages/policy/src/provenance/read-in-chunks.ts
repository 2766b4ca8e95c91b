import { isNumberWord } from "./read-number.ts";
import { type ReadingOptions, readForm, readText, type TextReading } from "./read-text.ts";

/** Read at once in some milliseconds. */
const CHUNK_CHARS = 16 * 1024;
/** So far a place is looked for where a text can be parted without a difference; then any white space will do. */
const LONGEST_CHUNK_CHARS = 64 * 1024;

/**
 * What `readText` gives, of a long text in pieces: the words of all of them, one after the other, and their values
 * together. A text without white space is one piece. A date, an amount or an account number that lies across a piece
 * of more than 64 KB is not seen whole; nothing but long columns of numbers comes in such pieces.
 */
export function* readInChunks(text: string, options: ReadingOptions = {}): Generator<TextReading> {
  if (text.length <= LONGEST_CHUNK_CHARS) {
    yield readText(text, options);
    return;
  }
  let hasOtherForm = false;
  for (const chunk of chunksOf(text)) {
    const composed = chunk.normalize("NFC");
    hasOtherForm ||= composed.normalize("NFKC") !== composed;
    yield readForm(composed, options);
  }
  if (!hasOtherForm) return;
  yield { words: [""], values: new Set() };
  for (const chunk of chunksOf(text)) yield readForm(chunk.normalize("NFKC"), options);
}

function* chunksOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > LONGEST_CHUNK_CHARS) {
    const end = findCut(text, start);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** White space between plain words that are not part of a number, so no value can span it. */
const CALM = /(?<=(\p{L}{2,}) \p{L}{2,})[ \n](?=\p{L}{2,} (\p{L}{2,}))/gu;
const ANY_SPACE = /[ \n](?=[A-Za-z0-9])/g;

function findCut(text: string, start: number): number {
  const from = start + CHUNK_CHARS;
  const window = text.slice(from, start + LONGEST_CHUNK_CHARS);
  for (const { index } of window.matchAll(CALM)) {
    const around = window.slice(Math.max(0, index - 100), index + 100).split(/[ \n]/);
    if (!around.some((word) => isNumberWord(word.toLowerCase()))) return from + index;
  }
  ANY_SPACE.lastIndex = start + LONGEST_CHUNK_CHARS;
  const found = ANY_SPACE.exec(text);
  return found === null ? text.length : found.index;
}
