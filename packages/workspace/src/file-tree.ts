/**
 * A confined folder of files: paths have the form of `readPath`, and links are never followed. Every method
 * rejects with the signal's reason, or with a `WorkspaceError`: `link_refused` for a path with a link in it,
 * `not_a_folder` if a file stands in the way, `file_failed` if the system refuses (permissions, a full disk).
 */
export interface FileTree {
  /** Does not reject if the path does not exist. */
  stat(path: string, signal: AbortSignal): Promise<TreeStat>;
  /** All of a file. Rejects with `not_found`, `not_a_file`, or `file_too_large` beyond `maxBytes`. */
  read(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
  /** The entries of a folder, sorted by name. Rejects with `not_found` or `not_a_folder`. */
  list(path: string, signal: AbortSignal): Promise<readonly TreeEntry[]>;
  /**
   * Writes a whole file and creates folders as needed: a reader sees the old or the new bytes, even after a
   * crash. A replaced file keeps its mode, except for whether it can be run.
   */
  write(path: string, bytes: Uint8Array, options: WriteOptions, signal: AbortSignal): Promise<void>;
  /** Removes a file or link, and folders that become empty. Does nothing if it does not exist. */
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** Makes a folder and those above it. Does nothing if it is there; rejects with `not_a_folder` if a file is. */
  makeFolder(path: string, signal: AbortSignal): Promise<void>;
  /** Removes an empty folder; does nothing if there is none, or something in it. */
  removeFolder(path: string, signal: AbortSignal): Promise<void>;
}

export interface WriteOptions {
  /** Absent: like the replaced file, or else not executable. */
  readonly executable?: boolean | undefined;
  /** `relaxed`: survives the end of the process, but not a power cut. Default `full`. */
  readonly durability?: "full" | "relaxed";
}

export type TreeStat =
  | { readonly kind: "missing" }
  | { readonly kind: "folder" }
  | FileStat
  /** A link, device, socket or pipe, or a path that leads through one. */
  | { readonly kind: "other" };

export interface FileStat {
  readonly kind: "file";
  readonly size: number;
  readonly executable: boolean;
  /** The permissions, where files have such. */
  readonly mode?: number;
  /** Changes whenever the bytes may have changed. */
  readonly version: string;
  /** When it last changed. A very recent version may stand for two contents. */
  readonly changedMs: number;
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}
