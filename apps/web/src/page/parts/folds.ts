/** What the reader has unfolded, kept for this tab through reloads. */
const KEY = "deputy.open-folds";
const MOST_KEPT = 200;

let open: Set<string> | undefined;

function loaded(): Set<string> {
  if (open !== undefined) return open;
  try {
    open = new Set(JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as string[]);
  } catch {
    open = new Set();
  }
  return open;
}

export const isUnfolded = (key: string): boolean => loaded().has(key);

export function setUnfolded(key: string, isOpen: boolean): void {
  const folds = loaded();
  if (isOpen) folds.add(key);
  else folds.delete(key);
  sessionStorage.setItem(KEY, JSON.stringify([...folds].slice(-MOST_KEPT)));
}
