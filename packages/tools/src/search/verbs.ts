/** Words that say what is done rather than to what; they count less, and choose the kind of operation. */
const VERBS = {
  read: "get list show find search look lookup fetch read view see retrieve browse query tell display count compare download export what which who whose whom when where how why is are am does did",
  create:
    "create give grant add new make insert post compose write open register submit upload send append invite start schedule buy order build spin put generate draft record log reply comment share import attach subscribe install enable run trigger",
  delete:
    "delete remove destroy cancel clear erase drop purge wipe trash void revoke unsubscribe empty kick uninstall leave unfollow unstar stop disable detach",
  update:
    "update edit change modify set rename move patch replace mark assign adjust turn complete close reopen resolve approve archive transfer finish tick switch merge protect lock put",
} as const;

export type Deed = keyof typeof VERBS;


/** By word, or words written as one: what kinds of operation it may ask for. */
export const deedsOf: ReadonlyMap<string, ReadonlySet<Deed>> = readVerbs();

function readVerbs(): ReadonlyMap<string, ReadonlySet<Deed>> {
  const found = new Map<string, Set<Deed>>();
  for (const deed of ["read", "create", "delete", "update"] as const)
    for (const word of VERBS[deed].split(" ")) found.set(word, (found.get(word) ?? new Set()).add(deed));
  return found;
}
