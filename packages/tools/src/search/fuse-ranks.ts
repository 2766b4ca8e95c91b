/** How much a first place is worth beside a later one: reciprocal rank fusion (Cormack, Clarke, Büttcher 2009). */
const PLACES = 60;

/** One list of several, each with the best first: what many of them have early comes first. */
export function fuseRanks<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const worth = new Map<Item, number>();
  for (const list of lists)
    list.forEach((item, at) => worth.set(item, (worth.get(item) ?? 0) + 1 / (PLACES + at + 1)));
  return [...worth].sort((a, b) => b[1] - a[1]).map(([item]) => item);
}
