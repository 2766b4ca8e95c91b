/** Whether the list on the left shows its icons only. Kept in this browser; a phone has a drawer instead. */
const KEY = "deputy.side";
const FOLDED = "folded";

export function isSideFolded(): boolean {
  return localStorage.getItem(KEY) === FOLDED;
}

export function foldSide(isFolded: boolean): void {
  if (isFolded) localStorage.setItem(KEY, FOLDED);
  else localStorage.removeItem(KEY);
  applySideFold();
}

export function applySideFold(): void {
  const { dataset } = document.documentElement;
  if (isSideFolded()) dataset["side"] = FOLDED;
  else delete dataset["side"];
  document.dispatchEvent(new Event(SIDE_FOLDED));
}

/** Somebody has folded or unfolded it. */
export const SIDE_FOLDED = "side-folded";
