import { sized } from "../sized.ts";

// Texts, questions and vectors that nobody wrote, the same ones for the same seed.

const WORDS_PER_CHUNK = 300;
const VOCABULARY = 30_000;
const SEARCHES = sized(60, 6);
export const DIMENSIONS = 384;

/** The same numbers from 0 to 1 for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words are as frequent as in a language: the n-th as often as 1 / n. */
export function inventText(random: () => number): string {
  return Array.from({ length: WORDS_PER_CHUNK }, () => inventWord(VOCABULARY ** random())).join(" ");
}

/** Letters alone: what has digits in it is looked for as an identifier. */
function inventWord(place: number): string {
  let word = "x";
  for (let rest = Math.floor(place); rest > 0; rest = Math.floor(rest / 26))
    word = String.fromCharCode(97 + (rest % 26)) + word;
  return word;
}

/** Some words that many texts have, and some that few have. */
export function inventQuestions(): readonly string[] {
  const random = createRandom(4);
  return Array.from({ length: SEARCHES }, () =>
    [20, 200, 2_000, 4_000, 9_000, 20_000].map((place) => inventWord(place * (0.5 + random() / 2))).join(" "),
  );
}

export function inventVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
