import { tokensIn } from "./text-size.ts";

/** A place in a text, in characters: `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A piece of a text that is found and shown as one. */
export interface Chunk extends Range {
  /** Counted from 1, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The headings it stands under, the outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

export interface ChunkSize {
  readonly tokens: number;
  /** How many tokens of a piece the next one repeats, unless it begins with a heading. */
  readonly overlap: number;
}

/** Goes into the index's identity: another way to cut makes other pieces. */
export const CHUNKER = "lines-1";

/** A piece that is at least this full ends before the next heading. */
const FULL_ENOUGH = 0.4;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(```|~~~)/;

interface Line extends Range {
  readonly number: number;
  readonly tokens: number;
  readonly headings: readonly string[];
  readonly isHeading: boolean;
}

/**
 * Cuts between lines, if possible before a heading. A line that is too long is cut between words. Every character
 * except blank lines is in some piece.
 */
export function chunkText(text: string, { tokens: most, overlap }: ChunkSize): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Line[] = [];
  let size = 0;
  const close = (): void => {
    const chunk = chunkOf(text, open);
    if (chunk !== undefined) chunks.push(chunk);
  };
  for (const line of linesOf(text, most)) {
    const isNewSection = line.isHeading && size >= most * FULL_ENOUGH;
    if (open.length > 0 && (isNewSection || size + line.tokens > most)) {
      close();
      open = isNewSection || line.isHeading ? [] : lastOf(open, Math.min(overlap, most - line.tokens));
      size = sizeOf(open);
    }
    open.push(line);
    size += line.tokens;
  }
  close();
  return chunks;
}

/** The last lines with at most so many tokens together. */
function lastOf(lines: readonly Line[], most: number): Line[] {
  let from = lines.length;
  for (let size = 0; from > 0; from--) {
    size += lines[from - 1]?.tokens ?? 0;
    if (size > most) break;
  }
  return lines.slice(from);
}

function sizeOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { tokens }) => sum + tokens, 0);
}

function chunkOf(text: string, lines: readonly Line[]): Chunk | undefined {
  const isFilled = ({ from, to }: Line): boolean => text.slice(from, to).trim() !== "";
  const first = lines.find(isFilled);
  const last = lines.findLast(isFilled);
  if (first === undefined || last === undefined) return undefined;
  return {
    from: first.from,
    to: last.to,
    firstLine: first.number,
    lastLine: last.number,
    headings: first.headings,
    text: text.slice(first.from, last.to),
  };
}

function* linesOf(text: string, mostTokens: number): Iterable<Line> {
  let headings: readonly { readonly depth: number; readonly title: string }[] = [];
  let fence: string | undefined;
  let number = 0;
  for (let from = 0; from < text.length;) {
    number++;
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, Math.min(end, from + LONGEST_HEADING));
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === undefined ? mark : undefined;
    const [, hashes, title = ""] = (fence === undefined ? HEADING.exec(line) : null) ?? [];
    const isHeading = hashes !== undefined;
    if (isHeading)
      headings = [...headings.filter(({ depth }) => depth < hashes.length), { depth: hashes.length, title }];
    const titles = headings.map((heading) => heading.title).filter((each) => each !== "");
    for (const piece of piecesOf(text, { from, to: end }, mostTokens))
      yield {
        ...piece,
        number,
        tokens: tokensIn(text.slice(piece.from, piece.to)),
        headings: titles,
        isHeading,
      };
    from = end + 1;
  }
}

const LONGEST_HEADING = 300;

/** The line itself, or pieces of it that are small enough, cut after a space where there is one. */
function* piecesOf(text: string, { from, to }: Range, mostTokens: number): Iterable<Range> {
  // Cutting by characters is certain to be small enough, because a character is at most one token.
  const isShort = to - from <= mostTokens || tokensIn(text.slice(from, to)) <= mostTokens;
  if (isShort) {
    yield { from, to };
    return;
  }
  for (let at = from; at < to;) {
    let end = Math.min(to, at + mostTokens * 4);
    while (end - at > mostTokens && tokensIn(text.slice(at, end)) > mostTokens) end -= mostTokens;
    if (end < to) {
      const space = text.lastIndexOf(" ", end);
      if (space > at + (end - at) / 2) end = space + 1;
      else if (isLowSurrogate(text.charCodeAt(end))) end--;
    }
    yield { from: at, to: end };
    at = end;
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
