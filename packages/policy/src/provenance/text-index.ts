import { type ReadingOptions, readText } from "./read-text.ts";

/** Texts from several sources, found again by value and by phrase without reading them anew. */
export interface TextIndex {
  add(text: string, source: string, options?: ReadingOptions): void;
  /** Who first stated one of these values as a whole. */
  find(forms: readonly string[]): string | undefined;
  /** Who first said these words one after the other. */
  findPhrase(words: readonly string[]): string | undefined;
  /** How many of these words stand in runs of at least `runLength` that were said one after the other. */
  countEchoed(words: readonly string[], runLength: number): number;
}

/** Stands between texts, so that no phrase reaches from one into the next. */
const GAP = "";

export function createTextIndex(): TextIndex {
  const sequence: string[] = [];
  const sources: string[] = [];
  const places = new Map<string, number[]>();
  const values = new Map<string, string>();

  const startsAt = (place: number, words: readonly string[]): boolean =>
    words.every((word, offset) => sequence[place + offset] === word);

  /** Looks only where the rarest of the words stands. */
  const placeOf = (words: readonly string[]): number | undefined => {
    let rarest: readonly number[] | undefined;
    let offset = 0;
    for (const [at, word] of words.entries()) {
      const found = places.get(word);
      if (found === undefined) return undefined;
      if (rarest === undefined || found.length < rarest.length) [rarest, offset] = [found, at];
    }
    const found = rarest?.find((place) => startsAt(place - offset, words));
    return found === undefined ? undefined : found - offset;
  };

  return {
    add(text, source, options) {
      const reading = readText(text, options);
      for (const value of reading.values) if (!values.has(value)) values.set(value, source);
      for (const word of [...reading.words, GAP]) {
        if (word !== GAP) {
          const known = places.get(word);
          if (known === undefined) places.set(word, [sequence.length]);
          else known.push(sequence.length);
        }
        sequence.push(word);
        sources.push(source);
      }
    },
    find(forms) {
      const form = forms.find((one) => values.has(one));
      return form === undefined ? undefined : values.get(form);
    },
    findPhrase(words) {
      const place = words.length === 0 ? undefined : placeOf(words);
      return place === undefined ? undefined : sources[place];
    },
    countEchoed(words, runLength) {
      const echoed = words.map(() => false);
      for (let at = 0; at + runLength <= words.length; at += 1) {
        if (placeOf(words.slice(at, at + runLength)) !== undefined) echoed.fill(true, at, at + runLength);
      }
      return echoed.filter(Boolean).length;
    },
  };
}
