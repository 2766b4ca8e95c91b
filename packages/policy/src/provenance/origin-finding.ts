import type { Origin } from "../origins.ts";

/** A critical value that nothing the user said or trusts explains. */
export interface OriginFinding {
  /** Its place in the input: `to`, `items[2].id`; a map's key ends in `(key)`. */
  readonly path: string;
  /** The value, or the part of a text that is not explained. */
  readonly value: string;
  readonly origin: Origin;
  /** Both, in a sentence for the user; hidden characters are the reader's to make visible. */
  readonly words: string;
}
