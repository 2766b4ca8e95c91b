import { createWorkspace } from "../create-workspace.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceLimits } from "../workspace-limits.ts";
import { hashBytes } from "./hash-bytes.ts";
import { createLocalShadowStore } from "./local-shadow-store.ts";

export interface LocalWorkspace extends Workspace {
  /** Where its files are on disk now, for programs that work in it. Changes with an import. */
  treeFolder(signal: AbortSignal): Promise<string>;
}

/** A workspace kept in `directory`. Opens nothing yet, and keeps nothing open. */
export function openLocalWorkspace(options: {
  readonly directory: string;
  /** Folders that the real folder may neither contain nor be inside of, such as Deputy's home. */
  readonly apart: readonly string[];
  readonly now: () => number;
  readonly limits?: WorkspaceLimits;
}): LocalWorkspace {
  const store = createLocalShadowStore(options);
  const { now, limits } = options;
  const workspace = createWorkspace({
    store,
    hash: hashBytes,
    now,
    ...(limits === undefined ? {} : { limits }),
  });
  return { ...workspace, treeFolder: store.treeFolder };
}
