import type { TextIndex } from "./text-index.ts";
import { findAll, findPhrase, type ValueReading } from "./value-reading.ts";
import { readNumeral } from "./read-number.ts";
import { plainForm } from "./value-forms.ts";

/**
 * Nobody rereads an agent's configuration before each request, so a whole sentence of it does not vouch for a
 * value.
 */
const SHORTEST_PHRASE = 3;
const SMALLEST_NUMBER = 10;
/** Something that is not in a text by chance: an address, a link, an identifier, a number in digits. */
const SPECIFIC = /^(?=.*[\p{N}@_]|[#~/]\S|.*\S\.\S|.*:\/\/)\S+$/su;

/** Parts of an agent's files are headed by names that say nothing of any value. */
export function withoutHeadings(text: string): string {
  return text.replaceAll(/^#{1,6} .*/gm, "");
}

/**
 * True if a configuration contains a value. Plain words count only as a phrase, and small numbers do not
 * count.
 */
export function isConfigured(
  index: TextIndex,
  value: string | number,
  { needs, parts }: ValueReading,
): boolean {
  if (typeof value === "number" || isSpecific(plainForm(value)))
    return isTelling(value) && findAll(index, needs) !== undefined;
  return (
    parts.length > 0 &&
    parts.every(({ text, needs: own, words }) =>
      isSpecific(text)
        ? isTelling(text) && findAll(index, own) !== undefined
        : words.length >= SHORTEST_PHRASE && findPhrase(index, words) !== undefined,
    )
  );
}

function isSpecific(text: string): boolean {
  return SPECIFIC.test(text);
}

function isTelling(value: string | number): boolean {
  const numbers = typeof value === "number" ? [value] : readNumeral(value.toLowerCase());
  return numbers.every((number) => Math.abs(number) >= SMALLEST_NUMBER || !Number.isInteger(number));
}
