import { createRandom } from "../crash-run.ts";

/** The same choices for the same seed. */
export interface Random {
  /** A whole number from 0, smaller than `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  bytes(length: number): Buffer;
}

export function createChoices(seed: number): Random {
  const below = createRandom(seed);
  return {
    below,
    pick(choices) {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error("There is nothing to choose from");
      return chosen;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
