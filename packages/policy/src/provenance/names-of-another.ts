import type { Origins } from "../origins.ts";
import type { DeclaredInput } from "./declared-input.ts";
import type { InputLeaf } from "./input-leaves.ts";
import { type ArgumentPlace, kindOfArgument, wordsForKind } from "./kinds/kind.ts";
import { takesThing } from "./kinds/other-kinds.ts";
import { isExplained, type TracedLeaf } from "./trace-leaf.ts";
import { plainForm } from "./value-forms.ts";

/**
 * The values of a call whose words the user said once, and for another argument of it: "renew the metformin" tells the
 * prescription, and so no pharmacy; "book the Aurora" tells the hotel, which must be given, and so no city. Not where
 * they were said of this as well, beside its noun or behind a preposition, nor for texts and people.
 */
export function namesOfAnother(
  traced: readonly TracedLeaf[],
  placeOf: (leaf: InputLeaf) => ArgumentPlace,
  declared: Pick<DeclaredInput, "isRequired">,
  origins: Pick<Origins, "isSaidOf">,
): ReadonlySet<TracedLeaf> {
  const names = traced.filter(
    ({ leaf, origin }) => isExplained(origin) && takesThing(leaf.value, placeOf(leaf)),
  );
  const isOther = (one: TracedLeaf, other: TracedLeaf): boolean =>
    isOfOtherKind(placeOf(one.leaf), placeOf(other.leaf)) && isNamedBy(one, other);
  const isFirst = (one: TracedLeaf, other: TracedLeaf): boolean => {
    if (plainForm(String(one.leaf.value)) !== plainForm(String(other.leaf.value))) return true;
    const [isRequired, isOtherRequired] = [one, other].map(({ leaf }) => declared.isRequired(leaf.argument));
    return isRequired === isOtherRequired
      ? traced.indexOf(other) < traced.indexOf(one)
      : isOtherRequired === true;
  };
  return new Set(
    names.filter(
      (one) =>
        traced.some((other) => other !== one && isOther(one, other) && isFirst(one, other)) &&
        !origins.isSaidOf(String(one.leaf.value), placeOf(one.leaf)),
    ),
  );
}

function isOfOtherKind(one: ArgumentPlace, other: ArgumentPlace): boolean {
  const meant = wordsForKind(kindOfArgument(one));
  return !wordsForKind(kindOfArgument(other)).some((word) => meant.includes(word));
}

/** True if the words of the one are what told the other, or are the other. */
function isNamedBy({ leaf: { value } }: TracedLeaf, { leaf, origin }: TracedLeaf): boolean {
  const name = plainForm(String(value));
  if (plainForm(String(leaf.value)) === name) return true;
  const clue = "clue" in origin && origin.clue !== undefined ? plainForm(origin.clue) : undefined;
  return clue !== undefined && ` ${clue} `.includes(` ${name} `);
}
