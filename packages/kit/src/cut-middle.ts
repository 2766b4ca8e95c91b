import { cutText } from "./shorten.ts";

/** How much of a long text is shown; `head` and `tail` stay when it is longer than `whole`. */
export interface TextRoom {
  readonly whole: { readonly chars: number; readonly lines: number };
  readonly head: { readonly chars: number; readonly lines: number };
  readonly tail: { readonly chars: number; readonly lines: number };
}

export interface CutText {
  readonly text: string;
  /** Characters left out of the middle; 0 if nothing is left out. */
  readonly left: number;
}

/**
 * The beginning and the end of a long text, with how much is left out between them. Never cuts a character in
 * half.
 */
export function cutMiddle(text: string, room: TextRoom): CutText {
  if (text.length <= room.whole.chars && lineCount(text) <= room.whole.lines) return { text, left: 0 };
  const head = headOf(text, room.head);
  const rest = text.slice(head.length);
  const tail = tailOf(rest, room.tail);
  const middle = rest.slice(0, rest.length - tail.length);
  if (middle === "") return { text, left: 0 };
  const lines = lineCount(middle) - 1;
  const of = lines > 1 ? ` in ${lines} lines` : "";
  return { text: `${head}\n[… ${middle.length} characters${of} left out …]\n${tail}`, left: middle.length };
}

function lineCount(text: string): number {
  return (text.match(/\n/g)?.length ?? 0) + 1;
}

function headOf(text: string, { chars, lines }: TextRoom["head"]): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf("\n", end + 1);
    if (next === -1 || next > chars) break;
    end = next;
  }
  // A line that is too long is cut within the line.
  const isFull = lineCount(text.slice(0, Math.max(end, 0))) >= lines;
  const cut = isFull ? end : chars;
  return cutText(text, cut);
}

function tailOf(text: string, { chars, lines }: TextRoom["tail"]): string {
  const last = text.slice(-chars);
  const kept = last.split("\n").slice(-lines).join("\n");
  return kept.replace(/^[\udc00-\udfff]/, "");
}
