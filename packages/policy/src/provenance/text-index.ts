import { createNumberList } from "./number-list.ts";
import { readInChunks } from "./read-in-chunks.ts";
import type { ReadingOptions } from "./read-text.ts";

/** Texts from several sources, indexed by value and by phrase, so that they are not read again. */
export interface TextIndex {
  /** Adding the same text again, from any source, changes nothing: the first source counts. */
  add(text: string, source: string, options?: ReadingOptions): void;
  /** The same in small steps, for a text that may be long. Nothing else is to be added before the last one. */
  addSteps(text: string, source: string, options?: ReadingOptions): Iterable<void>;
  /** Who first stated one of these values as a whole. */
  find(forms: readonly string[]): string | undefined;
  /** Who first said these words one after the other. */
  findPhrase(words: readonly string[]): string | undefined;
  /** Which of these words stand in no run of at least `runLength` that was said one after the other. */
  findForeign(words: readonly string[], runLength: number): readonly number[];
}

/** Stands between texts, so that no phrase reaches from one into the next. */
const GAP = "";
const NONE = -1;
/** Longer texts are hardly ever the same, and would be kept for nothing; so would more of them. */
const LONGEST_REPEATED = 200;
const MOST_REPEATED = 10_000;

/** Words are numbered, and places kept in lists of numbers: a session of a million words takes some megabytes. */
export function createTextIndex(): TextIndex {
  /** The number of the word at each place, or NONE; and the next place of the same word. */
  const sequence = createNumberList();
  const nextPlace = createNumberList();
  /** The number of each word. */
  const numbers = new Map<string, number>();
  const firstPlace = createNumberList();
  const lastPlace = createNumberList();
  const counts = createNumberList();
  /** Where each text begins, and who said it. */
  const starts = createNumberList();
  const sources: string[] = [];
  const values = new Map<string, string>();
  const repeated = new Set<string>();

  const addWord = (word: string): void => {
    const place = sequence.length;
    nextPlace.push(NONE);
    if (word === GAP) {
      sequence.push(NONE);
      return;
    }
    const number = numbers.get(word);
    sequence.push(number ?? numbers.size);
    if (number === undefined) {
      numbers.set(word, numbers.size);
      firstPlace.push(place);
      lastPlace.push(place);
      counts.push(1);
      return;
    }
    nextPlace.set(lastPlace.at(number), place);
    lastPlace.set(number, place);
    counts.set(number, counts.at(number) + 1);
  };

  const startsAt = (place: number, words: readonly number[]): boolean =>
    place >= 0 &&
    place + words.length <= sequence.length &&
    words.every((word, offset) => sequence.at(place + offset) === word);

  /** Looks only where the rarest of the words stands. */
  const placeOf = (words: readonly string[]): number | undefined => {
    const known: number[] = [];
    let offset = 0;
    for (const word of words) {
      const number = numbers.get(word);
      if (number === undefined) return undefined;
      if (counts.at(number) < counts.at(known[offset] ?? number)) offset = known.length;
      known.push(number);
    }
    const rarest = known[offset];
    if (rarest === undefined) return undefined;
    for (let place = firstPlace.at(rarest); place !== NONE; place = nextPlace.at(place))
      if (startsAt(place - offset, known)) return place - offset;
    return undefined;
  };

  /** The source of the last text that begins at or before the place. */
  const sourceAt = (place: number): string | undefined => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts.at(middle) <= place) low = middle;
      else high = middle;
    }
    return sources[low];
  };

  const isRepeated = (text: string, options: ReadingOptions | undefined): boolean => {
    if (options !== undefined || text.length > LONGEST_REPEATED) return false;
    if (repeated.has(text)) return true;
    if (repeated.size < MOST_REPEATED) repeated.add(text);
    return false;
  };

  function* addSteps(text: string, source: string, options?: ReadingOptions): Generator<void> {
    if (isRepeated(text, options)) return;
    const start = sequence.length;
    for (const reading of readInChunks(text, { ...options, known: values })) {
      for (const value of reading.values) if (!values.has(value)) values.set(value, source);
      // A single word is no phrase.
      if (reading.words.length > 1 || sequence.length > start) {
        if (sequence.length === start) {
          starts.push(start);
          sources.push(source);
        }
        for (const word of reading.words) addWord(word);
      }
      yield;
    }
    if (sequence.length > start) addWord(GAP);
  }

  return {
    add(...added) {
      const steps = addSteps(...added);
      while (steps.next().done !== true);
    },
    addSteps,
    find(forms) {
      for (const form of forms) {
        const source = values.get(form);
        if (source !== undefined) return source;
      }
      return undefined;
    },
    findPhrase(words) {
      const place = words.length === 0 ? undefined : placeOf(words);
      return place === undefined ? undefined : sourceAt(place);
    },
    findForeign(words, runLength) {
      const echoed = words.map(() => false);
      for (let at = 0; at + runLength <= words.length; at += 1) {
        if (placeOf(words.slice(at, at + runLength)) !== undefined) echoed.fill(true, at, at + runLength);
      }
      return [...echoed.keys()].filter((at) => echoed[at] === false);
    },
  };
}
