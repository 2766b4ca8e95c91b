/**
 * A folder of files, confined: paths are as `readPath` gives them, and no link is followed, wherever it
 * leads. Every method rejects with the signal's reason, or with a `WorkspaceError`: `link_refused` for a
 * path with a link in it, `not_a_folder` where a file stands in the way, `file_failed` when the system
 * refuses (permissions, a full disk).
 */
export interface FileTree {
  /** Never rejects for what is or is not there. */
  stat(path: string, signal: AbortSignal): Promise<TreeStat>;
  /** All of a file. Rejects with `not_found`, `not_a_file`, or `file_too_large` beyond `maxBytes`. */
  read(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
  /** The entries of a folder, sorted by name. Rejects with `not_found` or `not_a_folder`. */
  list(path: string, signal: AbortSignal): Promise<readonly TreeEntry[]>;
  /**
   * Puts a file there whole, making folders as needed: whoever looks sees the old or the new bytes, also after
   * a crash. A file that is replaced keeps its mode, except for whether it can be run.
   */
  write(path: string, bytes: Uint8Array, options: WriteOptions, signal: AbortSignal): Promise<void>;
  /** Removes a file or link, and folders that it leaves empty. What is not there is removed already. */
  remove(path: string, signal: AbortSignal): Promise<void>;
}

export interface WriteOptions {
  /** Absent: as the file is that is replaced, else not. */
  readonly executable?: boolean | undefined;
  /** `relaxed`: survives the end of the process, not that of the machine. Default `full`. */
  readonly durability?: "full" | "relaxed";
}

export type TreeStat =
  | { readonly kind: "missing" }
  | { readonly kind: "folder" }
  | FileStat
  /** A link, device, socket or pipe; or there is one on the way to it. */
  | { readonly kind: "other" };

export interface FileStat {
  readonly kind: "file";
  readonly size: number;
  readonly executable: boolean;
  /** Another one whenever the bytes may be others. */
  readonly version: string;
  /** When it last changed; a version so young may stand for two contents. */
  readonly changedMs: number;
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}
