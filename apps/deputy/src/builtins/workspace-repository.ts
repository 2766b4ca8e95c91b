import { join } from "node:path";
import type { ScriptRepository } from "@deputy/contained-shell/node";
import type { Home } from "../home.ts";

/** The repository that scripts see as the workspace's: in the home, where no script can write. */
export async function openWorkspaceRepository({
  directory,
}: Pick<Home, "directory">): Promise<ScriptRepository> {
  const { openLocalWorkspace } = await import("@deputy/workspace/node");
  const kept = openLocalWorkspace({ directory: join(directory, "repository"), apart: [], now: Date.now });
  return {
    folder: (signal) => kept.treeFolder(signal),
    async apply(changes, signal) {
      // What is named by others comes first: a crash in between leaves a repository that is whole.
      const isObject = ({ path }: { readonly path: string }): boolean => path.startsWith("objects/");
      await kept.apply(changes.filter(isObject), signal);
      await kept.apply(
        changes.filter((change) => !isObject(change)),
        signal,
      );
    },
  };
}
