import type { FileTree } from "./file-tree.ts";
import type { Skipped } from "./walk.ts";
import type { Applied, TreeChange } from "./workspace.ts";
import { WorkspaceError } from "./workspace-error.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";
import { readChangePath } from "./workspace-path.ts";

/** Removals make room for what has the same name; folders are removed when they are empty, and made when all is done. */
const ORDER = { remove: 0, no_folder: 1, write: 2, folder: 3 } as const;

/** See `Workspace.apply`. */
export async function applyChanges(
  tree: FileTree,
  changes: readonly TreeChange[],
  limits: WorkspaceLimits,
  signal: AbortSignal,
): Promise<Applied> {
  const files: Applied["files"][number][] = [];
  const leftOut: Skipped[] = [];
  // The deepest first among folders that go.
  const inOrder = changes.toSorted(
    (a, b) => ORDER[a.kind] - ORDER[b.kind] || (a.kind === "no_folder" ? b.path.length - a.path.length : 0),
  );
  for (const change of inOrder) {
    const path = allowed(change.path);
    if (path === undefined) leftOut.push({ path: change.path, why: "a workspace cannot have that name" });
    else if (change.kind === "folder") await tree.makeFolder(path, signal);
    else if (change.kind === "no_folder") await tree.removeFolder(path, signal);
    else if (change.kind === "write" && change.bytes.length > limits.fileBytes)
      leftOut.push({ path, why: `it is larger than ${limits.fileBytes} bytes` });
    else files.push({ path, kind: await perform(tree, change, path, signal) });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, leftOut };
}

async function perform(
  tree: FileTree,
  change: Extract<TreeChange, { kind: "write" | "remove" }>,
  path: string,
  signal: AbortSignal,
): Promise<"added" | "modified" | "deleted"> {
  if (change.kind === "remove") {
    await tree.remove(path, signal);
    return "deleted";
  }
  const { kind } = await tree.stat(path, signal);
  // A link that a command of the host left here, and which the script replaced.
  if (kind === "other") await tree.remove(path, signal);
  const { bytes, executable } = change;
  await tree.write(path, bytes, { executable, durability: "relaxed" }, signal);
  return kind === "file" ? "modified" : "added";
}

function allowed(path: string): string | undefined {
  try {
    return readChangePath(path);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "path_refused") return undefined;
    throw error;
  }
}
