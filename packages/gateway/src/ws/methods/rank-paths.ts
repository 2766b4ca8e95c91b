/** Longer queries name nothing that is there. */
const MOST_LETTERS = 200;

/** The paths that have these letters in this order, the best first: those whose name begins with them, then has them. */
export function rankPaths(paths: readonly string[], query: string): readonly string[] {
  const wanted = query.trim().toLowerCase().slice(0, MOST_LETTERS);
  if (wanted === "") return paths.toSorted((a, b) => depthOf(a) - depthOf(b) || a.localeCompare(b));
  const ranked: { readonly path: string; readonly rank: number }[] = [];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) ranked.push({ path, rank });
  }
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || a.path.localeCompare(b.path))
    .map(({ path }) => path);
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(wanted) || path.startsWith(wanted)) return 0;
  if (new RegExp(`[^a-z0-9]${RegExp.escape(wanted)}`).test(path)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  if (hasInOrder(name, wanted)) return 4;
  return hasInOrder(path, wanted) ? 5 : undefined;
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
