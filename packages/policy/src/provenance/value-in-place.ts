import {
  type ArgumentPlace,
  isDistinctive,
  isIdLike,
  isPerhapsSameKind,
  isPerson,
  isQuantityName,
  isSameKind,
  type Kind,
  kindOfArgument,
  singularOf,
  wordsForKind,
} from "./kinds/kind.ts";
import {
  FULL_NAMES,
  isAddress,
  isInDirectory,
  isOfPerson,
  isOwnId,
  kindOfLeaf,
  kindOfRow,
  type RowLeaf,
} from "./kinds/rows.ts";
import { readNumeral } from "./read-number.ts";
import type { TrustedValue } from "./trusted-values.ts";
import { plainForm } from "./value-forms.ts";
import { isRecipientName } from "./who-is-reached.ts";
import { wordsOfName } from "./words-of-name.ts";

/** Shorter than an account number: an id, which counts under its name. */
const SHORT_DIGITS = /^\d{1,15}$/;

/** True of a whole number that says how many: such numbers are in many sentences. */
export function isCount(value: string | number, { name }: ArgumentPlace): boolean {
  return /^\d+$/.test(String(value).trim()) && isQuantityName(name);
}

/** What a value is where it stands: an id, one that is no more than a short number or word, or something else. */
export type Sense = "plain" | "id" | "bare id";

export function senseOf(value: string | number, place: ArgumentPlace | undefined): Sense {
  if (place === undefined || !isIdLike(value, place.name)) return "plain";
  return isDistinctive(value, place.name) ? "id" : "bare id";
}

/** Of the places where a trusted source has a value, those that fit the place in a call. */
export function fittingPlace(
  found: TrustedValue,
  value: string | number,
  place: ArgumentPlace,
  sense: Sense,
): TrustedValue | undefined {
  if (sense !== "plain")
    return (
      ofKind(found, kindOfArgument(place)) ?? narrowed(found, (leaf) => isNumberOfPerson(leaf, place.name))
    );
  const isNumber =
    typeof value === "number" || readNumeral(plainForm(value)).length > 0 || SHORT_DIGITS.test(value);
  return isNumber ? narrowed(found, (leaf) => isLike(leaf.name, place.name)) : found;
}

/**
 * True if a value stands where such a thing would: a channel's name for a channel, a sender for a recipient. Whoever
 * sent a mail is not one of the people whom a service lists.
 */
export function isAlike(leaf: RowLeaf, place: ArgumentPlace): boolean {
  if (leaf.record !== undefined && isAddress(String(leaf.value)) && !isOfPerson(leaf)) return false;
  const [own, asked] = [kindOfLeaf(leaf), kindOfArgument(place)];
  // A name that one service knows is no name in another one; an address is the same in all.
  const isElsewhere = own.space !== asked.space && own.space !== "" && asked.space !== "";
  if (!isAddress(String(leaf.value)) && isElsewhere && !isInDirectory(leaf)) return false;
  const meant = wordsForKind(asked);
  const shared = wordsForKind(own).filter((word) => meant.includes(word));
  // That both are names says nothing: a directory's `name` is nobody's `first_name`.
  const isName = shared.every((word) => word === "name" || word === "title");
  return shared.length > 0 && (!isName || leaf.name === "" || leaf.name === place.name);
}

/** True if a directory calls somebody so, and the argument asks for somebody: `attendee: "Priscilla Okafor"`. */
export function isNameOfPerson(leaf: RowLeaf, place: ArgumentPlace): boolean {
  const isAsked = kindOfArgument(place).heads.some(isPerson) || isRecipientName(place.name);
  return isAsked && FULL_NAMES.has(leaf.name.toLowerCase().replaceAll("_", "")) && isInDirectory(leaf);
}

/** True if it also stands in a row of such things, or by itself: the channel of a post is not one of the channels listed. */
export function isListedAs(leaf: RowLeaf, place: ArgumentPlace): boolean {
  const meant = wordsForKind(kindOfArgument(place));
  return isAlike(leaf, place) && wordsForKind(kindOfRow(leaf)).some((word) => meant.includes(word));
}

function ofKind(found: TrustedValue, kind: Kind): TrustedValue | undefined {
  return (
    narrowed(found, (leaf) => isSameKind(kindOfLeaf(leaf), kind)) ??
    narrowed(found, (leaf) => isPerhapsSameKind(kindOfLeaf(leaf), kind))
  );
}

/** Services each have users, with ids of their own. */
const EACH_SERVICES: ReadonlySet<string> = new Set(
  "user account profile login contact owner author".split(" "),
);

/**
 * True of the number by which a list of people knows somebody, in an argument that asks for just that: the `member_no`
 * of a club is one in its events and fees, too.
 */
function isNumberOfPerson(leaf: RowLeaf, name: string): boolean {
  const [own, asked] = [leaf.name, name].map((one) =>
    wordsOfName(one).map((word) => (word === "nos" ? "no" : singularOf(word))),
  );
  return (
    own !== undefined &&
    own.length > 1 &&
    own.join(" ") === asked?.join(" ") &&
    !own.some((word) => EACH_SERVICES.has(word)) &&
    isOfPerson(leaf) &&
    isOwnId(leaf)
  );
}

function narrowed(found: TrustedValue, isMeant: (leaf: RowLeaf) => boolean): TrustedValue | undefined {
  const leaves = found.leaves.filter(isMeant);
  return leaves.length === 0 ? undefined : { ...found, leaves };
}

function isLike(one: string, other: string): boolean {
  const words = wordsOfName(other);
  return wordsOfName(one).some((word) => words.includes(word));
}
