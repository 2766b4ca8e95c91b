import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
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

/** Of every agent that has a folder. */
export function agentPaths(directory: string): readonly RememberedPath[] {
  if (!existsSync(directory)) return [];
  const slugs = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return slugs.flatMap(({ name: slug }) => [
    {
      location: join(directory, slug, "MEMORY.md"),
      path: `${slug}/MEMORY.md`,
      shownAs: "MEMORY.md",
      scope: slug,
      kind: "memory" as const,
    },
    {
      location: join(directory, slug, "memory"),
      path: `${slug}/memory`,
      shownAs: "memory",
      scope: slug,
      kind: "notes" as const,
    },
  ]);
}
