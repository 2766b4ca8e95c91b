import type { FileSystem } from "@deputy/vfs";
import type { Skipped, TreeChange } from "@deputy/workspace";

/** Where scripts find the workspace. */
export const WORKSPACE = "/workspace";

/** What a script did to the workspace, as a workspace takes it. Links are left out: a workspace has none. */
export function collectChanges(
  fileSystem: FileSystem,
  mount: string = WORKSPACE,
): {
  readonly changes: readonly TreeChange[];
  readonly leftOut: readonly Skipped[];
} {
  const changes: TreeChange[] = [];
  const leftOut: Skipped[] = [];
  const gone = new Set<string>();
  const listed = fileSystem.changes(mount);
  for (const { path, change, kind } of listed)
    if (change === "deleted" && kind === "directory") gone.add(path);
  for (const { path, change, kind } of listed) {
    if (change === "deleted" && kind === "directory") changes.push({ kind: "no_folder", path });
    else if (change === "deleted") {
      changes.push({ kind: "remove", path });
      // A tree lets go of folders that become empty, and this one is still there.
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      if (folder !== "" && !gone.has(folder)) changes.push({ kind: "folder", path: folder });
    } else if (kind === "directory") {
      if (change === "created") changes.push({ kind: "folder", path });
    } else if (kind === "symlink") leftOut.push({ path, why: "it is a link" });
    else {
      const at = `${mount}/${path}`;
      const executable = (fileSystem.stat(at, "keep").mode & 0o100) !== 0;
      changes.push({ kind: "write", path, bytes: fileSystem.readFile(at), executable });
    }
  }
  return { changes, leftOut };
}
