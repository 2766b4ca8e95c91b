import { type Picked, pickedBy, type Said } from "../is-named.ts";
import type { TrustedValues } from "../trusted-values.ts";
import { isIdLike, isIdName, singularOf, wordsForKind } from "./kind.ts";
import { isOfPerson, isOwnId, kindOfRow, type RowLeaf, type Rows } from "./rows.ts";

/**
 * How the user picks out a record by whose it is: "Bob's fee" is the only invoice read that has the number of the one
 * Bob among the members. Only in lists that nobody else writes, by the system's own numbers, and where the user speaks
 * of such records.
 */
export function pickedByRelation(
  leaves: readonly RowLeaf[],
  said: Said,
  rows: Rows,
  trusted: Pick<TrustedValues, "find">,
  asksWith: (words: readonly string[]) => boolean,
): Picked | undefined {
  for (const leaf of leaves) {
    if (leaf.isOwn !== true || leaf.record === undefined || !isOwnId(leaf) || isOfPerson(leaf)) continue;
    const { heads, space } = kindOfRow(leaf);
    if (!asksWith([...wordsForKind({ heads }), singularOf(space)])) continue;
    for (const { name, value, isVouched } of leaf.record.fields) {
      if (!isVouched || name === leaf.name || !isIdName(name) || !isIdLike(value, name)) continue;
      const known = trusted.find(value)?.leaves.filter((one) => one.name === name) ?? [];
      const theirs = known.filter((one) => one.isOwn === true && isSameKindOfRow(one, leaf));
      if (theirs.some(({ record }) => record !== leaf.record)) continue;
      const people = known.filter((one) => isOfPerson(one) && isOwnId(one));
      const picked = pickedBy(people, said, rows);
      if (picked !== undefined) return { naming: "part", clue: picked.clue };
    }
  }
  return undefined;
}

function isSameKindOfRow(one: RowLeaf, other: RowLeaf): boolean {
  return kindOfRow(one).heads[0] === kindOfRow(other).heads[0];
}
