import type { FileChange, FileFacts } from "./file-change.ts";
import type { FolderScan } from "./scan-folder.ts";

/** The changes since then, by path. A file that could not be read counts as unchanged. */
export function changesSince(
  before: ReadonlyMap<string, FileFacts>,
  { files, unreadable }: Pick<FolderScan, "files" | "unreadable">,
): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, facts] of files) {
    const old = before.get(path);
    if (old === undefined) changes.push({ kind: "created", path, facts });
    // Not by inode number: some file systems assign new ones with every mount.
    else if (old.mtimeNs !== facts.mtimeNs || old.size !== facts.size)
      changes.push({ kind: "changed", path, facts });
  }
  for (const [path, facts] of before) {
    if (files.has(path)) continue;
    if (unreadable.some((one) => one === path || path.startsWith(`${one}/`))) continue;
    changes.push({ kind: "removed", path, facts });
  }
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Holds changes back until they are stable for a while: a file that still grows is not reported. */
export interface Settling {
  /** The changes that are stable, among all current ones. */
  settled(changes: readonly FileChange[], nowMs: number): readonly FileChange[];
  /** True when some changes are still held back. */
  readonly isWaiting: boolean;
}

export function createSettling(settleMs: number): Settling {
  let waiting = new Map<string, { readonly print: string; readonly sinceMs: number }>();
  return {
    settled(changes, nowMs) {
      const next: typeof waiting = new Map();
      const ready = changes.filter(({ kind, path, facts }) => {
        const print = `${kind} ${facts.mtimeNs} ${facts.size}`;
        const seen = waiting.get(path);
        const sinceMs = seen?.print === print ? seen.sinceMs : nowMs;
        if (nowMs - sinceMs >= settleMs) return true;
        next.set(path, { print, sinceMs });
        return false;
      });
      waiting = next;
      return ready;
    },
    get isWaiting() {
      return waiting.size > 0;
    },
  };
}
