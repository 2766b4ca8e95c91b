import type { Token } from "marked";

/** Once a block is as long as this, nothing that is written into it changes the one before. */
const SURELY_BEGUN = 200;

/** How many of the first blocks stay as they are, whatever is written next. */
export function settledCount(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  if ((tokens[last]?.raw.length ?? 0) >= SURELY_BEGUN) return last;
  // The last two can change: a list can go on after a blank line.
  const lastButOne = tokens.slice(0, Math.max(last, 0)).findLastIndex(({ type }) => type !== "space");
  return Math.max(lastButOne, 0);
}
