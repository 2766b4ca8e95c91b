import { rememberedFor } from "../remembered.ts";
import type { Said } from "./is-named.ts";
import { type ArgumentPlace, kindOfArgument, wordsForKind } from "./kinds/kind.ts";
import type { TextIndex } from "./text-index.ts";
import { findValue, readValue } from "./value-reading.ts";
import type { UserWords } from "./words/user-words.ts";

/** What the user said about a place in a call; what they took back is not said. */
function saidIn(
  heard: readonly UserWords[],
  program: TextIndex,
  place: ArgumentPlace | undefined,
  isOfKind: boolean,
): Said {
  const isHeard = (value: string | number, says: (words: UserWords) => boolean): boolean =>
    heard.some((words) => says(words) && !words.takesBack(String(value)));
  // The elements of a list are often told apart by the same few words.
  const once = (work: (text: string) => boolean): ((text: string) => boolean) => {
    const answers = new Map<string, boolean>();
    return (text) => {
      const known = answers.get(text);
      if (known !== undefined) return known;
      const answer = work(text);
      answers.set(text, answer);
      return answer;
    };
  };
  const says = (value: string | number): boolean => {
    const reading = readValue(value);
    return isHeard(value, (words) => words.states(reading)) || findValue(program, reading) !== undefined;
  };
  const saysText = once(says);
  return {
    describesIt:
      isOfKind &&
      place !== undefined &&
      heard.some((words) => words.describes(wordsForKind(kindOfArgument(place)))),
    says: (value) => (typeof value === "number" ? says(value) : saysText(value)),
    callsIt: once((name) => isHeard(name, (words) => words.calls(name))),
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

/** `saidIn` that is asked repeatedly, as long as the user says nothing more: `heard` is another list then. */
export function createSaidInPlaces(
  program: TextIndex,
): (heard: readonly UserWords[], place: ArgumentPlace | undefined, isOfKind?: boolean) => Said {
  const placesOf = rememberedFor((_heard: readonly UserWords[]) =>
    rememberedFor((_place: ArgumentPlace) => new Map<boolean, Said>()),
  );
  return (heard, place, isOfKind = false) => {
    if (place === undefined) return saidIn(heard, program, place, isOfKind);
    const places = placesOf(heard)(place);
    const known = places.get(isOfKind);
    if (known !== undefined) return known;
    const said = saidIn(heard, program, place, isOfKind);
    places.set(isOfKind, said);
    return said;
  };
}
