import { isContentName } from "../content-names.ts";
import {
  type ArgumentPlace,
  isIdLike,
  isPerhapsSameKind,
  isPerson,
  kindOfArgument,
  wordsForKind,
} from "./kind.ts";
import { isOfPerson, kindOfLeaf, kindOfRow, type RowLeaf } from "./rows.ts";
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

/** Letters with digits, as things are numbered: no address, and no name of a file. */
const CODE = /^#?(?=[\p{L}_-]*\p{N})(?=.*\p{L})[\p{L}\p{N}_-]+$/u;

/** True of a code by which a source knows a thing, and only things of another kind: request AR-89 is no user. */
export function isCodeOfOther(
  value: string | number,
  place: ArgumentPlace,
  leaves: readonly RowLeaf[],
): boolean {
  if (!CODE.test(String(value).trim()) || isContentName(place.name)) return false;
  const kind = kindOfArgument(place);
  const meant = wordsForKind(kind);
  const isReached = isRecipientName(place.name) || kind.heads.some(isPerson);
  const known = leaves.filter((leaf) => leaf.isVouched && isOfOwnKind(leaf));
  const isOther = (leaf: RowLeaf): boolean => {
    const own = kindOfLeaf(leaf);
    if ((isReached && isOfPerson(leaf)) || isPerhapsSameKind(own, kind)) return false;
    return ![...wordsForKind(own), ...wordsForKind(kindOfRow(leaf))].some((word) => meant.includes(word));
  };
  return known.length > 0 && known.every(isOther);
}

/** The request of a request, and not who asks for it. */
function isOfOwnKind(leaf: RowLeaf): boolean {
  const { heads } = kindOfLeaf(leaf);
  return leaf.record !== undefined && kindOfRow(leaf).heads.some((head) => heads.includes(head));
}
