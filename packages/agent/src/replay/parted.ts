import type { Divergence } from "./divergence.ts";

/** A turn does something that has no counterpart in its record: there is nothing to go on with. */
export class Parted extends Error {
  readonly divergence: Divergence;

  constructor(divergence: Divergence) {
    super(`Run again, the turn parted from its record: ${divergence.what}`);
    this.divergence = divergence;
  }
}
