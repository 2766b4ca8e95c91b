/** Something found, with how well it fits; better ones have a higher score. */
export interface Scored {
  readonly id: number;
  readonly score: number;
}

/** Something found by words, by meaning or by both. `words` and `meaning` are the scores that each search gave. */
export interface Fused extends Scored {
  readonly words: number | undefined;
  readonly meaning: number | undefined;
}

export interface Weights {
  readonly meaning: number;
  readonly words: number;
}

/**
 * - `min-max`: the scores of each search, stretched to 0…1, and added by weight. Zero is what a text without any of
 *   the words has, and the farthest of those that were found by meaning.
 * - `weighted`: cosine and BM25 / (1 + BM25), added by weight; what is below `minScore` is not found.
 * - `ranks`: reciprocal rank fusion, k = 60; scores do not count.
 */
export type Fusion =
  | { readonly kind: "min-max"; readonly weights: Weights }
  | { readonly kind: "weighted"; readonly weights: Weights; readonly minScore: number }
  | { readonly kind: "ranks"; readonly weights: Weights };

export const DEFAULT_WEIGHTS: Readonly<Record<Fusion["kind"], Weights>> = {
  "min-max": { meaning: 0.45, words: 0.55 },
  weighted: { meaning: 0.7, words: 0.3 },
  ranks: { meaning: 1, words: 1 },
};

export const DEFAULT_FUSION: Fusion = { kind: "min-max", weights: DEFAULT_WEIGHTS["min-max"] };

/** Of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): a larger number makes a first place worth less. */
const RANK_OFFSET = 60;

/**
 * One list of two, the best first; each is ordered by its score. `meaning` is undefined if nothing could be searched
 * by meaning; then words have all the weight.
 */
export function fuse(
  words: readonly Scored[],
  meaning: readonly Scored[] | undefined,
  fusion: Fusion,
): readonly Fused[] {
  const weights = meaning === undefined ? { meaning: 0, words: 1 } : fusion.weights;
  const rated = rate(words, meaning ?? [], fusion.kind);
  const byId = new Map<number, Fused>();
  for (const [at, { id, score }] of words.entries())
    byId.set(id, { id, score: weights.words * (rated.words[at] ?? 0), words: score, meaning: undefined });
  for (const [at, { id, score }] of (meaning ?? []).entries()) {
    const known = byId.get(id);
    const worth = weights.meaning * (rated.meaning[at] ?? 0);
    byId.set(id, { id, score: (known?.score ?? 0) + worth, words: known?.words, meaning: score });
  }
  const least = fusion.kind === "weighted" ? fusion.minScore : Number.NEGATIVE_INFINITY;
  return [...byId.values()].filter(({ score }) => score >= least).sort(byScore);
}

/** Equal ones in the order in which they were indexed, so that a search always answers the same. */
function byScore(a: Fused, b: Fused): number {
  return b.score - a.score || a.id - b.id;
}

function rate(
  words: readonly Scored[],
  meaning: readonly Scored[],
  kind: Fusion["kind"],
): { readonly words: readonly number[]; readonly meaning: readonly number[] } {
  switch (kind) {
    case "min-max":
      return { words: stretch(words, 0), meaning: stretch(meaning, meaning.at(-1)?.score ?? 0) };
    case "weighted":
      return {
        words: words.map(({ score }) => score / (1 + score)),
        meaning: meaning.map(({ score }) => score),
      };
    default: {
      const byRank = (list: readonly Scored[]): readonly number[] =>
        list.map((_, at) => 1 / (RANK_OFFSET + at + 1));
      return { words: byRank(words), meaning: byRank(meaning) };
    }
  }
}

function stretch(list: readonly Scored[], lowest: number): readonly number[] {
  const highest = list[0]?.score ?? 0;
  return list.map(({ score }) => (highest > lowest ? (score - lowest) / (highest - lowest) : 1));
}
