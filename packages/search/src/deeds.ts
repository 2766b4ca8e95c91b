import { plainFormOf, stem } from "./stem.ts";
import verbs from "./words/verbs.json" with { type: "json" };

/** A kind of operation. */
export type Deed = "read" | "create" | "update" | "delete";

const deedsByVerb = readVerbs();
const deedsByStem: ReadonlyMap<string, ReadonlySet<Deed>> = new Map(
  [...deedsByVerb].map(([verb, deeds]) => [stem(verb), deeds]),
);

/** The kinds of operation that a word may ask for; undefined if it is not a telling verb. */
export function deedsOf(word: string): ReadonlySet<Deed> | undefined {
  const plain = plainFormOf(word);
  return deedsByVerb.get(plain) ?? (/(?:ed|ing)$/.test(plain) ? deedsByStem.get(stem(plain)) : undefined);
}

/** The same by the stem of a word. */
export function deedsOfStem(stemmed: string): ReadonlySet<Deed> | undefined {
  return deedsByStem.get(stemmed);
}

function readVerbs(): ReadonlyMap<string, ReadonlySet<Deed>> {
  const found = new Map<string, Set<Deed>>();
  for (const deed of ["read", "create", "delete", "update"] as const)
    for (const verb of verbs[deed].split(" ")) found.set(verb, (found.get(verb) ?? new Set()).add(deed));
  return found;
}
