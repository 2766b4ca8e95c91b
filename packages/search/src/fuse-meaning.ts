import { kindFactor, namedRanges, type Ranked } from "./rank.ts";
import type { Query } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";

/** How much meaning counts beside words that say all that was asked for. The less they say, the less they count. */
const MEANING_WEIGHT = 0.3;
/**
 * From this likeness on, the nearest tool counts in full. What is nearest among tools that are all far away is mostly not
 * what was meant: of such first places few are right, of those above 0.7 nearly all are.
 */
const SURE_LIKENESS = 0.4;
/** How many of each list are fused. */
const FUSED = 200;
/** For meaning, the kind of operation and a named service count less than for words: only a root of it. */
const KIND_ROOT = 0.25;
const NAMED_ROOT = 0.5;
/** What is farther away is found by words, or not at all. */
const LEAST_LIKENESS = 0.15;
/** And so is what is less than this share as near as the nearest: it would only fill the list. */
const LEAST_OF_NEAREST = 0.5;

/**
 * One list of tools that words and meaning found, by their numbers, the best first. The scores of each are stretched to
 * 0…1 and added by weight. `likeness` has a number for each tool of the index; NaN where it is not known.
 */
export function fuseMeaning(
  index: SearchIndex,
  query: Query,
  byWords: readonly Ranked[],
  likeness: Float32Array,
): readonly number[] {
  const near = nearestOf(index, query, likeness);
  const worth = new Map<number, number>();
  const best = byWords[0];
  const wordsWeight = (1 - MEANING_WEIGHT) * (best?.coverage ?? 0);
  for (const { at, score } of byWords) worth.set(at, (wordsWeight * score) / (best?.score || 1));
  const [highest, lowest] = [near[0]?.score ?? 0, near.at(-1)?.score ?? 0];
  const meaningWeight = MEANING_WEIGHT * Math.min(highest / SURE_LIKENESS, 1);
  for (const { at, score } of near) {
    const stretched = highest > lowest ? (score - lowest) / (highest - lowest) : 1;
    worth.set(at, (worth.get(at) ?? 0) + meaningWeight * stretched);
  }
  // Equal ones by path, so that a search always answers the same.
  return [...worth].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([at]) => at);
}

function nearestOf(
  index: SearchIndex,
  query: Query,
  likeness: Float32Array,
): readonly { readonly at: number; readonly score: number }[] {
  const scores = Float32Array.from(likeness, (value) => (value >= LEAST_LIKENESS ? value : 0));
  for (let at = 0; at < scores.length; at++)
    scores[at] = (scores[at] ?? 0) * kindFactor(index, query, at) ** KIND_ROOT;
  for (const { from, to, boost } of namedRanges(index, query))
    for (let at = from; at < to; at++) scores[at] = (scores[at] ?? 0) * boost ** NAMED_ROOT;
  const sorted = scores.toSorted();
  const least = Math.max(
    sorted[Math.max(sorted.length - FUSED, 0)] ?? 0,
    LEAST_OF_NEAREST * (sorted.at(-1) ?? 0),
  );
  const found: { at: number; score: number }[] = [];
  scores.forEach((score, at) => {
    if (score > 0 && score >= least) found.push({ at, score });
  });
  return found.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, FUSED);
}
