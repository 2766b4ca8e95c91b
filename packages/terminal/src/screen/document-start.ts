import type { ChatBlock } from "../chat/chat-block.ts";

/**
 * Where a document that is drawn begins. What stands above has scrolled out of the window: it is the
 * terminal's, as it was drawn, and is not drawn again.
 */
export interface DocumentStart {
  /** What is left of the line or block that scrolled out in part, as it was drawn. */
  readonly carried: readonly string[];
  /** The first block that is drawn. */
  readonly block: number;
  /** Of the text that is being written: how many of its lines are above, and what they say. */
  readonly text: { readonly lines: number; readonly says: string };
}

export const DOCUMENT_START: DocumentStart = { carried: [], block: 0, text: { lines: 0, says: "" } };

/** A piece of a drawn document, and where the document begins once this piece has scrolled out. */
export interface DrawnPart {
  readonly lines: readonly string[];
  readonly next: Omit<DocumentStart, "carried">;
}

/** The start that leaves out the first `count` lines; at most all parts. */
export function startAfter(parts: readonly DrawnPart[], count: number, now: DocumentStart): DocumentStart {
  let left = count;
  let start = now;
  for (const { lines, next } of parts) {
    if (left <= 0) break;
    start = { ...next, carried: lines.slice(left) };
    left -= lines.length;
  }
  return start;
}

/** How many lines of a message were above when it was still being written. */
export function linesAbove(block: ChatBlock, { text }: DocumentStart): number {
  return block.kind === "assistant" && isOf(block.text, text) ? text.lines : 0;
}

/** False for another text, such as that of an answer which was begun anew. */
export function isOf(text: string, above: DocumentStart["text"]): boolean {
  return above.lines > 0 && text.startsWith(above.says);
}
