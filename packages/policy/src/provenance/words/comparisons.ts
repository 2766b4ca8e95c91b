import { singularOf } from "../kinds/kind.ts";
import comparisonWords from "./comparison-words.json" with { type: "json" };

const SUPERLATIVES = new Set(comparisonWords.superlatives);
const SENTENCE_END = /[!?;\n]+|\.(?=\s|$)/;
/** Farther apart, the two do not belong together. */
const FARTHEST = 5;

/**
 * The words for things of which a text asks for the one that compares best: "the channel with the fewest messages",
 * "the largest file". Which one that is nobody has said.
 */
export function readComparisons(text: string): readonly string[] {
  return text
    .normalize("NFC")
    .toLowerCase()
    .split(SENTENCE_END)
    .flatMap((sentence) => {
      const words = sentence.match(/\p{L}+/gu) ?? [];
      const places = words.flatMap((word, at) => (SUPERLATIVES.has(word) ? [at] : []));
      return places.flatMap((at) =>
        words.slice(Math.max(0, at - FARTHEST), at + FARTHEST + 1).map(singularOf),
      );
    });
}
