import type { SearchIndex } from "./search-index.ts";
import { brandsOf } from "./thesaurus.ts";

/** `sure`: by a word that means nothing else. `maybe`: by its name, `hint`: by another, that are ordinary words too. */
export type Naming = "sure" | "maybe" | "hint";

/** Services that are named by the first name of their tools, or else by what people call them. */
export function namesIn(
  words: readonly string[],
  { namespaces, isWordOutside }: Pick<SearchIndex, "namespaces" | "isWordOutside">,
): ReadonlyMap<string, Naming> {
  const found = new Map<string, Naming>();
  for (const word of words)
    if (namespaces.has(word)) found.set(word, isWordOutside(word, word) ? "maybe" : "sure");
  if (found.size > 0) return found;
  for (const word of words)
    for (const name of brandsOf.get(word) ?? [])
      if (namespaces.has(name)) found.set(name, isWordOutside(name, word) ? "hint" : "sure");
  return found;
}
