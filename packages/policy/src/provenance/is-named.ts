import type { ResultLeaf } from "./result-leaves.ts";
import { isFunctionWord, plainForm } from "./value-forms.ts";

/** A field this long is a text: nobody names a thing by saying all of it. */
const LONGEST_NAME = 120;
const SHORTEST_WORD = 4;
/** Smaller whole numbers are in too many sentences. */
const SMALLEST_NUMBER = 10;

/** Whether a whole value, or a phrase, is in the user's words. */
type Says = (value: string | number) => boolean;

/** Whether the user's words tell which one is meant: by a word of its name, or by another field of its record. */
export function isNamed(leaves: readonly ResultLeaf[], says: Says): boolean {
  return leaves.some((leaf) => (leaf.isVouched && saysWordOf(leaf.value, says)) || saysField(leaf, says));
}

/**
 * Others' words name only their own record, and only whole. Where they put a value that is not their
 * own into it, just the fields that the source vouches for tell anything.
 */
function saysField({ record, isVouched }: ResultLeaf, says: Says): boolean {
  return (record?.fields ?? []).some((field) => {
    if (!isVouched && !field.isVouched) return false;
    if (typeof field.value === "number") return isTelling(field.value) && says(field.value);
    if (field.value.length > LONGEST_NAME) return false;
    return says(field.value) || (isVouched && field.isVouched && saysWordOf(field.value, says));
  });
}

function isTelling(number: number): boolean {
  return Math.abs(number) >= SMALLEST_NUMBER || !Number.isInteger(number);
}

function saysWordOf(value: string | number, says: Says): boolean {
  if (typeof value === "number" || value.length > LONGEST_NAME) return false;
  const words = plainForm(value).match(/\p{L}+/gu) ?? [];
  return words.some((word) => word.length >= SHORTEST_WORD && !isFunctionWord(word) && says(word));
}
