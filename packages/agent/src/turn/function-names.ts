/** What every provider takes for a function's name. */
const LONGEST = 64;

export interface FunctionNames {
  nameOf(path: string): string;
  pathOf(name: string): string | undefined;
}

/** A name for each tool that providers accept: `github.issues.close` becomes `github_issues_close`. Unique, and the same for the same paths. */
export function nameFunctions(paths: readonly string[]): FunctionNames {
  const byName = new Map<string, string>();
  const byPath = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const plain = path.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST) || "_";
    let name = plain;
    for (let n = 2; byName.has(name); n++) name = `${plain.slice(0, LONGEST - String(n).length - 1)}_${n}`;
    byName.set(name, path);
    byPath.set(path, name);
  }
  return {
    nameOf: (path) => byPath.get(path) ?? path,
    pathOf: (name) => byName.get(name),
  };
}
