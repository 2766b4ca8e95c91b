import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { configFileOf } from "../config/config-file.ts";
import type { Home } from "../home.ts";

/**
 * A plugin of the home runs with the user's rights, so nobody else may be able to change it, its folders, or
 * the settings that name it. A file outside the home was named by its absolute path, so the user is
 * responsible for it. Throws `home_unusable`.
 */
export function assertOwnPlugin(home: string, file: string): void {
  if (process.platform === "win32") return;
  const below = relative(home, file);
  if (below === ".." || below.startsWith(`..${sep}`)) return;
  const owner = statSync(home, { throwIfNoEntry: false })?.uid;
  const open = [home, configFileOf(home), ...pathsBetween(resolve(home), resolve(file))].find((path) =>
    isOpen(path, owner),
  );
  if (open === undefined) return;
  throw new AppError(
    "home_unusable",
    `Other users of this machine can change ${makeVisible(open)}, so the plugin ${makeVisible(file)} was not loaded`,
    {
      hint: `Check that nobody has changed the plugins; then \`chmod -R go= ${home}\` keeps the home to you.`,
    },
  );
}

/** The same for every plugin that the home would load. */
export function assertOwnPlugins({ directory, config }: Pick<Home, "directory" | "config">): void {
  const named = config.toolSources.flatMap((source) =>
    typeof source === "string" ? [resolve(directory, source)] : [],
  );
  for (const file of [...named, ...discoverPlugins(directory)]) assertOwnPlugin(directory, file);
}

/** Plugins in the home's `plugins` folder, sorted; names that begin with a dot or an underscore are ignored. */
export function discoverPlugins(home: string): readonly string[] {
  const folder = join(home, "plugins");
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && /^[^._].*(?<!\.d)\.(?:ts|js|mjs)$/.test(entry.name))
      .map((entry) => join(folder, entry.name))
      .toSorted();
  } catch {
    // There is no such folder.
    return [];
  }
}

/** The file, which is below the home, and its folders up to the home. */
function pathsBetween(home: string, file: string): readonly string[] {
  return file === home ? [] : [...pathsBetween(home, dirname(file)), file];
}

/** True if anyone other than the user, root and the owner of the home can change it. */
function isOpen(path: string, homeOwner: number | undefined): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const self = process.getuid?.();
  // Root may use the home of another user, who can then change all of it.
  const owners = [self, 0, ...(self === 0 ? [homeOwner] : [])];
  return (stat.mode & 0o022) !== 0 || !owners.includes(stat.uid);
}
