import type { Said } from "./is-named.ts";
import { type ArgumentPlace, kindOfArgument, wordsForKind } from "./kinds/kind.ts";
import type { TextIndex } from "./text-index.ts";
import { findValue, readValue } from "./value-reading.ts";
import type { UserWords } from "./words/user-words.ts";

/** What the user said about a place in a call; what they took back is not said. */
export function saidIn(
  heard: readonly UserWords[],
  program: TextIndex,
  place: ArgumentPlace | undefined,
  isOfKind: boolean = false,
): Said {
  const isHeard = (value: string | number, says: (words: UserWords) => boolean): boolean =>
    heard.some((words) => says(words) && !words.takesBack(String(value)));
  return {
    describesIt:
      isOfKind &&
      place !== undefined &&
      heard.some((words) => words.describes(wordsForKind(kindOfArgument(place)))),
    says(value) {
      const reading = readValue(value);
      return isHeard(value, (words) => words.states(reading)) || findValue(program, reading) !== undefined;
    },
    callsIt: (name) => isHeard(name, (words) => words.calls(name)),
    marks: (word, nouns) => isHeard(word, (words) => words.marks(word, place, nouns)),
    namesBeside(word, nouns) {
      const all = place === undefined ? nouns : [...nouns, ...wordsForKind(kindOfArgument(place))];
      return isHeard(word, (words) => words.namesBeside(word, all));
    },
    returnsSum: (value) => heard.some((words) => words.returnsSum(value)),
    standsWithin: (word) => heard.some((words) => words.standsWithin(word)),
    saysSum: (value) => heard.some((words) => words.numbers.hasSum(value)),
  };
}
