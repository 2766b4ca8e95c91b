import { remembered } from "../remembered.ts";
import { numberForm } from "./read-number.ts";
import { wordsOf } from "./read-text.ts";
import type { TextIndex } from "./text-index.ts";
import { composedForm, isFunctionWord, neededForms } from "./value-forms.ts";

/** A value as it is looked for: as a whole, or as a list of values and phrases. */
export interface ValueReading {
  readonly needs: Needs;
  /** Empty where only the whole counts. */
  readonly parts: readonly ValuePart[];
}

export interface ValuePart {
  readonly text: string;
  readonly needs: Needs;
  readonly words: readonly string[];
}

/** One form of each list has to be found. */
export type Needs = readonly (readonly string[])[];

/** What these mark up or quote is not what the words alone say. */
const MARKUP = /[<>`|{}[\]\\*~]/;
const SEVERAL_WORDS = /[\s,;]/;
const BETWEEN_PARTS = /[,;\n\t]+/;

export function readValue(value: string | number): ValueReading {
  return typeof value === "number" ? { needs: [formsOfNumber(value)], parts: [] } : readTextValue(value);
}

const readTextValue = remembered((value: string): ValueReading => {
  const text = composedForm(value);
  const needs = neededForms(text);
  if (!SEVERAL_WORDS.test(text) || MARKUP.test(text)) return { needs, parts: [] };
  const parts = text.split(BETWEEN_PARTS).map((part) => part.trim());
  return {
    needs,
    parts: parts.map((part) => ({ text: part, needs: neededForms(part), words: wordsOf(part) })),
  };
});

const LARGEST_NUMERAL = 999_999_999_999_999;

/** A long whole number that is exact may have been said as an identifier. */
export function formsOfNumber(value: number): readonly string[] {
  const form = numberForm(value);
  const isLong = Number.isSafeInteger(value) && value > LARGEST_NUMERAL;
  return isLong ? [form, ...neededForms(String(value)).flat()] : [form];
}

/** Who said a value: as a whole, or every part of it. */
export function findValue(index: TextIndex, { needs, parts }: ValueReading): string | undefined {
  const whole = findAll(index, needs);
  if (whole !== undefined || parts.length === 0) return whole;
  let source: string | undefined;
  for (const part of parts) {
    source = findAll(index, part.needs) ?? findPhrase(index, part.words);
    if (source === undefined) return undefined;
  }
  return source;
}

export function findAll(index: TextIndex, needs: Needs): string | undefined {
  let first: string | undefined;
  for (const forms of needs) {
    const source = index.find(forms);
    if (source === undefined) return undefined;
    first ??= source;
  }
  return first;
}

/** A single word is found by its value alone: in a date or a number, it would mean something else. */
export function findPhrase(index: TextIndex, words: readonly string[]): string | undefined {
  return words.length > 1 && !words.every(isFunctionWord) ? index.findPhrase(words) : undefined;
}
