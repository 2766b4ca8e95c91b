import { isContentName } from "../content-names.ts";
import { type ArgumentPlace, isIdLike, isPerson, kindOfArgument, wordsForKind } from "./kind.ts";
import { kindOfLeaf, kindOfRow, type RowLeaf } from "./rows.ts";
import { isRecipientName } from "../who-is-reached.ts";

/** Words only, as people name things: no number, address, code or name of a file. */
const NAME = /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,3}$/u;

/**
 * True of an argument that a name fills by its kind: a pharmacy, a city. Not of one for a text, nor for somebody, who
 * may be a patient and whoever gets the letter.
 */
export function takesThing(value: string | number | boolean, place: ArgumentPlace): boolean {
  if (typeof value !== "string" || !NAME.test(value.trim()) || isIdLike(value, place.name)) return false;
  if (isContentName(place.name) || isRecipientName(place.name)) return false;
  return !kindOfArgument(place).heads.some(isPerson);
}

/** True if a source vouches for a name, and only as that of something else than what an argument takes. */
export function isNameOfOther(
  value: string | number,
  place: ArgumentPlace,
  leaves: readonly RowLeaf[],
): boolean {
  if (!takesThing(value, place)) return false;
  const known = leaves.filter((leaf) => leaf.isVouched && leaf.record !== undefined);
  const meant = wordsForKind(kindOfArgument(place));
  const isOther = (leaf: RowLeaf): boolean => {
    const [own, row] = [kindOfLeaf(leaf), kindOfRow(leaf)];
    // What a service's own name tells is too little to say that it is something else.
    if (own.isVague || (row.isVague && isContentName(leaf.name))) return false;
    return ![...wordsForKind(own), ...wordsForKind(row)].some((word) => meant.includes(word));
  };
  return known.length > 0 && known.every(isOther);
}
