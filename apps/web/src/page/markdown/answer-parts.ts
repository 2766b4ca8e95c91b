import type { DrawnBlock } from "./growing-markdown.ts";

/** Some blocks of an answer, one after the other, in an element of their own. A block never changes its part. */
export interface AnswerPart {
  readonly key: number;
  readonly blocks: readonly DrawnBlock[];
  /** What its first block wants above it. */
  readonly begins: "as-heading" | "as-cut" | "as-block";
  /** Nothing that is written now changes it, and it was drawn in full before: its height is known. */
  readonly isSettled: boolean;
}

/**
 * Blocks in parts. While an answer grows, the browser leaves out the parts that are settled and out of sight
 * (`content-visibility` in the style): it goes through all others with each piece, however far away they are.
 */
export interface AnswerParts {
  /** Call it once for each time that they are drawn. */
  of(blocks: readonly DrawnBlock[], isStreaming: boolean): readonly AnswerPart[];
}

/** Watching a part costs the browser something, too: more of them would not be cheaper. */
const BLOCKS_OF_A_PART = 8;
/** What comes can change the last blocks. */
const OPEN_PARTS = 2;

export function createAnswerParts(): AnswerParts {
  let drawn = 0;
  return {
    of(blocks, isStreaming) {
      const groups = [...Map.groupBy(blocks, ({ key }) => Math.floor(key / BLOCKS_OF_A_PART))];
      const settled = isStreaming ? Math.min(drawn, groups.length) - OPEN_PARTS : 0;
      drawn = isStreaming ? groups.length : 0;
      return groups.map(([key, own], at) => ({
        key,
        blocks: own,
        begins: beginning(own[0]),
        isSettled: at < settled,
      }));
    },
  };
}

function beginning(block: DrawnBlock | undefined): AnswerPart["begins"] {
  if (block?.goesOn?.isFirst === true) return "as-cut";
  return block?.token.type === "heading" ? "as-heading" : "as-block";
}
