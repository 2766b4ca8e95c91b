import { basename, resolve } from "node:path";
import { EVERYONE } from "@deputy/memory";
import type { RememberedPath } from "@deputy/memory/node";
import type { Home } from "../home.ts";

/** In the home. */
export const INDEX_FILE = "memory.db";

/** Files and folders that the settings name. */
export function extraPathsOf({
  directory,
  config,
}: Pick<Home, "directory" | "config">): readonly RememberedPath[] {
  return config.memory.extraPaths.map((path) => {
    const location = resolve(directory, path);
    return { location, path: location, shownAs: basename(location), scope: EVERYONE, kind: "extra" };
  });
}
