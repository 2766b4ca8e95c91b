import type { ChangeSet } from "./change-set.ts";
import type { CommitOutcome } from "./commit-plan.ts";
import type { FileDiff } from "./file-diff.ts";
import type { TreeEntry } from "./file-tree.ts";
import type { Skipped } from "./walk.ts";

/**
 * The agents' copy of the user's files. Only `commit` changes the real folder. Paths are relative to the
 * workspace (`readPath`). All methods reject with a `WorkspaceError`, such as `path_refused` for a path that
 * leads out, or with the signal's reason.
 */
export interface Workspace {
  /** All of a file's bytes. Rejects with `not_found`, `not_a_file` or `file_too_large`. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array>;
  /** The same as text. Rejects with `not_text` for bytes that are not UTF-8. */
  readText(path: string, signal: AbortSignal): Promise<string>;
  /** Durable when it resolves. Idempotent. */
  write(path: string, content: Uint8Array | string, signal: AbortSignal): Promise<"created" | "replaced">;
  /**
   * Makes many changes, removals first. What a workspace cannot hold is left out and said. Survives the end of the
   * process, but not a power cut; killed in the middle, some are made. Idempotent.
   */
  apply(changes: readonly TreeChange[], signal: AbortSignal): Promise<Applied>;
  /** Rejects with `not_found`, or `not_a_file` for a folder. */
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** The entries of a folder, sorted by name. */
  list(path: string, signal: AbortSignal): Promise<readonly TreeEntry[]>;
  /** Every file under a folder, sorted by path. Rejects with `too_many_files`. */
  walk(path: string, signal: AbortSignal): Promise<readonly string[]>;
  stat(path: string, signal: AbortSignal): Promise<FileInfo>;
  /** What differs from the base. */
  status(signal: AbortSignal): Promise<ChangeSet>;
  /** The same with text diffs, for all changes or those at or under the paths. Rejects with `unknown_change`. */
  diff(paths: readonly string[] | "all", signal: AbortSignal): Promise<Review>;
  /**
   * Writes reviewed changes to the real folder: all, or those at or under the paths. Writes nothing if one of
   * them conflicts, or, with `stale_change_set`, if the changes are not those that were reviewed. Can be
   * repeated after a crash in the middle.
   */
  commit(reviewed: Reviewed, signal: AbortSignal): Promise<CommitOutcome>;
  /** Discards changes, all or those at or under the paths: the files become what the real folder has now. */
  revert(paths: readonly string[] | "all", signal: AbortSignal): Promise<readonly string[]>;
  /** What there is of one file: as it was imported, here, and in the real folder now. */
  sides(path: string, signal: AbortSignal): Promise<Sides>;
  /**
   * Ends a conflict: the file here becomes this content, null for none, and counts as a change of what the real folder has
   * now. Writes nothing to the real folder.
   */
  resolve(path: string, content: Uint8Array | string | null, signal: AbortSignal): Promise<void>;
  /** Keeps the files as they are now, to be gone back to. Does nothing if that was done under this name already. */
  snapshot(name: string, signal: AbortSignal): Promise<void>;
  /** Newest first. An import forgets those of before. */
  snapshots(signal: AbortSignal): Promise<readonly SnapshotInfo[]>;
  /**
   * Makes the files what they were at a snapshot; `"last"`: at the newest that differs from now. What they are now becomes
   * a snapshot first. The real folder stays as it is. Rejects with `unknown_snapshot`.
   */
  undo(id: string, signal: AbortSignal): Promise<Undone>;
  /**
   * Makes the workspace a copy of a folder; without one, updates it from the same folder. Rejects with
   * `uncommitted_changes` unless these may be lost.
   */
  import(order: ImportOrder, signal: AbortSignal): Promise<ImportReport>;
  /** The real folder, once there is one. */
  root(signal: AbortSignal): Promise<string | undefined>;
}

/** One change of the tree, as a script made it. */
export type TreeChange =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly executable: boolean;
    }
  /** A file or a link. */
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "no_folder"; readonly path: string };

export interface Applied {
  /** Sorted by path; folders are not among them. */
  readonly files: readonly { readonly path: string; readonly kind: "added" | "modified" | "deleted" }[];
  readonly leftOut: readonly Skipped[];
}

export interface SnapshotInfo {
  readonly id: string;
  readonly name: string;
  readonly atMs: number;
  /** What going back to it would do. */
  readonly files: Undone["files"];
}

export interface Undone {
  /** Undefined: there was nothing to go back to. */
  readonly id: string | undefined;
  /** Sorted by path. */
  readonly files: readonly { readonly path: string; readonly kind: "added" | "modified" | "deleted" }[];
}

export type FileInfo =
  | { readonly kind: "missing" | "folder" | "other" }
  | { readonly kind: "file"; readonly size: number; readonly executable: boolean };

/** Undefined where there is no such file. */
export interface Sides {
  readonly base: Uint8Array | undefined;
  readonly ours: Uint8Array | undefined;
  readonly theirs: Uint8Array | undefined;
}

/** A change set with what its reader needs to judge it. */
export interface Review extends ChangeSet {
  readonly diffs: readonly FileDiff[];
}

export interface Reviewed {
  /** The id of the change set. */
  readonly changeSet: string;
  readonly paths: readonly string[] | "all";
}

export interface ImportOrder {
  readonly root?: string | undefined;
  /** Names to leave out in any folder; absent: as before, or `DEFAULT_EXCLUDE`. */
  readonly exclude?: readonly string[] | undefined;
  readonly uncommitted: "keep" | "discard";
  /** Told how many of the folder's files have been looked at, beginning with none. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface ImportReport {
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** The names that an import leaves out, and those of them that the folder has. */
  readonly exclude: readonly string[];
  readonly leftOut: readonly string[];
  readonly skipped: readonly Skipped[];
}

/** A commit into `.git` could plant a hook, and installed packages are not the user's files. */
export const DEFAULT_EXCLUDE: readonly string[] = [".git", "node_modules"];
