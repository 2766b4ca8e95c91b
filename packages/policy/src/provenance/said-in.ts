import { remembered, rememberedFor } from "../remembered.ts";
import type { Said } from "./is-named.ts";
import { type ArgumentPlace, kindOfArgument, wordsForKind } from "./kinds/kind.ts";
import type { TextIndex } from "./text-index.ts";
import { findValue, readValue } from "./value-reading.ts";
import type { UserWords } from "./words/user-words.ts";

/** What the user said, wherever it is used. Many places and the elements of a list are told apart by the same words. */
interface SaidAnywhere {
  /** True if one of them says so, and did not take back the value. */
  isHeard(value: string | number, says: (words: UserWords) => boolean): boolean;
  readonly says: (value: string | number) => boolean;
  readonly callsIt: (name: string) => boolean;
}

function saidAnywhere(heard: readonly UserWords[], program: TextIndex): SaidAnywhere {
  const isHeard: SaidAnywhere["isHeard"] = (value, says) =>
    heard.some((words) => says(words) && !words.takesBack(String(value)));
  const says = (value: string | number): boolean => {
    const reading = readValue(value);
    return isHeard(value, (words) => words.states(reading)) || findValue(program, reading) !== undefined;
  };
  const saysText = remembered(says, MOST_ANSWERS);
  return {
    isHeard,
    says: (value) => (typeof value === "number" ? says(value) : saysText(value)),
    callsIt: remembered((name) => isHeard(name, (words) => words.calls(name)), MOST_ANSWERS),
  };
}

const MOST_ANSWERS = 20_000;

/** What the user said about a place in a call; what they took back is not said. */
function saidIn(
  heard: readonly UserWords[],
  { isHeard, says, callsIt }: SaidAnywhere,
  place: ArgumentPlace | undefined,
  isOfKind: boolean,
): Said {
  return {
    describesIt:
      isOfKind &&
      place !== undefined &&
      heard.some((words) => words.describes(wordsForKind(kindOfArgument(place)))),
    says,
    callsIt,
    marks: (word, nouns) => isHeard(word, (words) => words.marks(word, place, nouns)),
    namesBeside(word, nouns) {
      const all = place === undefined ? nouns : [...nouns, ...wordsForKind(kindOfArgument(place))];
      return isHeard(word, (words) => words.namesBeside(word, all));
    },
    numbers: (id, nouns) => isHeard(id, ({ kinds }) => kinds.has(nouns, id)),
    numbersAny: (nouns) => heard.some(({ kinds }) => kinds.hasAny(nouns)),
    isOfOtherDay: (moment) => heard.every((words) => words.isOfOtherDay(moment)),
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
  const anywhere = rememberedFor((heard: readonly UserWords[]) => saidAnywhere(heard, program));
  return (heard, place, isOfKind = false) => {
    if (place === undefined) return saidIn(heard, anywhere(heard), place, isOfKind);
    const places = placesOf(heard)(place);
    const known = places.get(isOfKind);
    if (known !== undefined) return known;
    const said = saidIn(heard, anywhere(heard), place, isOfKind);
    places.set(isOfKind, said);
    return said;
  };
}
