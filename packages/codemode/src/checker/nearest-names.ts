const MAX_NEAREST = 3;
/** The share of a name that may be wrong. */
const TOLERANCE = 0.4;
/** Shorter names occur in too many others. */
const MIN_CONTAINED_CHARS = 3;
/** Longer names are compared by their beginning. */
const COMPARED_CHARS = 64;

/** The names most similar to the wanted one, best first; empty if none is similar. */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const target = { words: wordsOf(wanted), letters: lettersOf(wanted) };
  const allowed = Math.max(1, Math.floor(target.letters.length * TOLERANCE));
  const near = names
    .filter((name) => name !== wanted)
    .map((name) => ({ name, distance: distanceTo(target, name, allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance || compareText(a.name, b.name));
  const best = near[0]?.distance ?? 0;
  return near
    .filter(({ distance }) => distance <= best + 1)
    .slice(0, MAX_NEAREST)
    .map(({ name }) => name);
}

/**
 * The same for dotted paths. A path with the same last name counts as near; the rest of the path then decides
 * the order.
 */
export function nearestPaths(wanted: string, paths: readonly string[]): readonly string[] {
  const leaf = lettersOf(lastName(wanted));
  const sameLeaf = paths
    .filter((path) => path !== wanted && lettersOf(lastName(path)) === leaf)
    .map((path) => ({ path, distance: editDistance(lettersOf(wanted), lettersOf(path)) }))
    .toSorted((a, b) => a.distance - b.distance || compareText(a.path, b.path))
    .map(({ path }) => path);
  const [best] = sameLeaf;
  const alike = nearestNames(wanted, paths);
  // Half of all tools may be called `list`, so a match of the last name alone does not help.
  const isTelling = sameLeaf.length <= MAX_NEAREST || (best !== undefined && alike.includes(best));
  return [...new Set([...(isTelling ? sameLeaf : []), ...alike])].slice(0, MAX_NEAREST);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Case and separators are what people misremember first. */
function lettersOf(name: string): string {
  return name
    .slice(0, COMPARED_CHARS)
    .toLowerCase()
    .replaceAll(/[\s._"-]/g, "");
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Infinite for some distances above `allowed`. */
function distanceTo(
  target: { readonly words: string; readonly letters: string },
  name: string,
  allowed: number,
): number {
  const [a, b] = [target.letters, lettersOf(name)];
  const isContained = Math.min(a.length, b.length) >= MIN_CONTAINED_CHARS && (a.includes(b) || b.includes(a));
  if (!isContained && Math.abs(a.length - b.length) > allowed) return Infinity;
  const words = wordsOf(name);
  if (words === target.words) return 0;
  // Misspelt and in another order: `isues.list` and `listIssues`.
  return isContained ? 1 : Math.min(editDistance(a, b), 1 + editDistance(target.words, words));
}

/** The words of a name in any order: `closeIssue` and `issues.close` are equal. */
function wordsOf(name: string): string {
  const words = name
    .slice(0, COMPARED_CHARS)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/(?<=..)s$/, ""));
  return words.toSorted().join(" ").trim();
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + cost,
        isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
