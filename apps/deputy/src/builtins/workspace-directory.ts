import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Home } from "../home.ts";
import type { LocalWorkspace } from "@deputy/workspace/node";

/** The folder in which the workspace is kept. */
export function workspaceDirectoryOf(home: Pick<Home, "directory" | "config">): string {
  return locateDirectory(home.directory, home.config.security.workspace);
}

/** A directory that a setting names: relative paths are from the home. */
export function locateDirectory(homeDirectory: string, path: string): string {
  return path === "~" || path.startsWith("~/")
    ? join(homedir(), path.slice(2))
    : resolve(homeDirectory, path);
}

/** The workspace of a home. */
export async function openWorkspace(home: Pick<Home, "directory" | "config">): Promise<LocalWorkspace> {
  const { openLocalWorkspace } = await import("@deputy/workspace/node");
  return openLocalWorkspace({
    directory: workspaceDirectoryOf(home),
    apart: [home.directory],
    now: Date.now,
  });
}
