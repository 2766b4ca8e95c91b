import { type Block, type BlockReader, createBlockReader } from "./lex.ts";
import { type Cut, whereToCut, withoutIndent } from "./cut-block.ts";

/** A block as it is drawn. */
export interface DrawnBlock extends Block {
  /** It goes on with a block that is too long to be read again with each piece. */
  readonly goesOn?: GoesOn;
}

export interface GoesOn {
  /** In how many lists the block before was when it was cut. */
  readonly depth: number;
  /** It is the first after the cut: there is no gap before it. */
  readonly isFirst: boolean;
}

/**
 * Markdown while it grows. A block that no stem keeps short is cut when too much of it is open: what stands before the
 * cut is left as it is drawn, and what comes is read by itself. Once all is there, it is read as one.
 */
export interface GrowingMarkdown {
  /** The blocks of the text, which begins with the one before unless it is another text. */
  read(text: string, isStreaming: boolean): readonly DrawnBlock[];
}

/** More would take longer to read than a frame has on a slow machine. */
const LONGEST_OPEN = 1_800;
/** No reader counts so many blocks. */
const KEYS_OF_A_SLICE = 1_000_000;

/** What is read since the last cut. */
interface Slice {
  readonly reader: BlockReader;
  /** Where it begins in the text. */
  readonly from: number;
  /** Without so many blanks at the beginning of each line. */
  readonly indent: number;
  readonly depth: number;
  readonly number: number;
  /** What was drawn before it. */
  readonly before: readonly DrawnBlock[];
}

export function createGrowingMarkdown(): GrowingMarkdown {
  const reader = createBlockReader();
  const whole: Slice = { reader, from: 0, indent: 0, depth: 0, number: 0, before: [] };
  let slice = whole;
  let last = "";

  /** A slice's own blocks, beside those before it. */
  const drawn = (blocks: readonly Block[], { number, depth, before }: Slice): readonly DrawnBlock[] =>
    number === 0
      ? blocks
      : [
          ...before,
          ...blocks.map((block, at) => ({
            ...block,
            key: block.key + number * KEYS_OF_A_SLICE,
            goesOn: { depth, isFirst: at === 0 },
          })),
        ];

  const begin = (text: string, { index, indent }: Cut): Slice => {
    const source = withoutIndent(text.slice(slice.from), slice.indent);
    const frozen = slice.reader.read(source.slice(0, index), false);
    const from = slice.from + placeIn(text.slice(slice.from), slice.indent, index);
    return {
      reader: createBlockReader(),
      from,
      indent: slice.indent + indent,
      depth: depthAt(text.slice(0, from), slice.indent + indent),
      number: slice.number + 1,
      before: drawn(frozen, slice),
    };
  };

  return {
    read(given, isStreaming) {
      const text = given.includes("\r") ? given.replace(/\r\n|\r/g, "\n") : given;
      if (!isStreaming || !text.startsWith(last)) slice = whole;
      last = isStreaming ? text : "";
      for (;;) {
        const source = withoutIndent(text.slice(slice.from), slice.indent);
        const blocks = slice.reader.read(source, isStreaming);
        const open = slice.reader.openChars();
        const cut = isStreaming && open > LONGEST_OPEN ? whereToCut(source, source.length - open) : undefined;
        if (cut === undefined) return drawn(blocks, slice);
        slice = begin(text, cut);
      }
    },
  };
}

/** Where in a text is what stands at that place in it without its indentation. */
function placeIn(text: string, indent: number, index: number): number {
  if (indent === 0) return index;
  const before = withoutIndent(text, indent).slice(0, index);
  const lines = before.split("\n");
  const lineStart = text.split("\n", lines.length - 1).reduce((chars, line) => chars + line.length + 1, 0);
  const line = text.slice(lineStart).split("\n", 1)[0] ?? "";
  return lineStart + line.length - withoutIndent(line, indent).length + (lines.at(-1)?.length ?? 0);
}

const ITEM = /^( *)(?:[*+-]|\d{1,9}[.)]) /;

/** In how many items of lists a line stands that is so far in and follows the text. */
function depthAt(text: string, indent: number): number {
  let depth = 0;
  let column = indent;
  for (const line of text.split("\n").reverse()) {
    if (column === 0) break;
    const before = ITEM.exec(line)?.[1]?.length;
    if (before === undefined || before >= column) continue;
    depth += 1;
    column = before;
  }
  return depth;
}
