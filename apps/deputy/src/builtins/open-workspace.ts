import type { LocalWorkspace } from "@deputy/workspace/node";
import type { Home } from "../home.ts";
import { workspaceDirectoryOf } from "./workspace-directory.ts";

/** The workspace of a home. */
export async function openWorkspace(home: Pick<Home, "directory" | "config">): Promise<LocalWorkspace> {
  const { openLocalWorkspace } = await import("@deputy/workspace/node");
  return openLocalWorkspace({
    directory: workspaceDirectoryOf(home),
    apart: [home.directory],
    now: Date.now,
  });
}
