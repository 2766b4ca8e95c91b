import type { Base, BaseFile } from "./base.ts";
import type { FileTree } from "./file-tree.ts";

/**
 * Where a workspace is kept: the tree that agents work in, and its base. Everything that resolved survives a
 * crash. Rejects with `workspace_damaged` for what cannot be read, `file_failed` if the system refuses, or
 * the signal's reason.
 */
export interface ShadowStore {
  load(signal: AbortSignal): Promise<Shadow>;
  /** Replaces the whole base of the loaded tree. */
  saveBase(base: Base, signal: AbortSignal): Promise<void>;
  /** Bytes of the base by their hash, checked against it. */
  readContent(sha256: string, signal: AbortSignal): Promise<Uint8Array>;
  keepContent(sha256: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** What `saveSnapshots` was given last for the loaded tree. */
  loadSnapshots(signal: AbortSignal): Promise<string | undefined>;
  saveSnapshots(text: string, signal: AbortSignal): Promise<void>;
  /** A new, empty tree beside the current one, which stays in use until `finish`. */
  begin(signal: AbortSignal): Promise<ShadowDraft>;
  /** One at a time, across all processes. Rejects with `workspace_busy` if another does not end. */
  lock(signal: AbortSignal): Promise<AsyncDisposable>;
  /**
   * Rejects with `folder_missing`, or with `folder_refused` for a folder that contains Deputy's home or is
   * inside it.
   */
  openReal(root: string, signal: AbortSignal): Promise<RealFolder>;
}

export interface Shadow {
  readonly base: Base;
  readonly tree: FileTree;
}

export interface ShadowDraft extends AsyncDisposable {
  /** A file of the base, which the tree begins with. */
  put(path: string, file: DraftFile, signal: AbortSignal): Promise<BaseFile>;
  /** Switches to the new tree and base together. If it is disposed before, nothing changes. */
  finish(base: Base, signal: AbortSignal): Promise<void>;
}

export interface DraftFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly executable: boolean;
  /** The permissions in the folder, where files have such. */
  readonly mode: number | undefined;
}

export interface RealFolder {
  /** Its real path, with links resolved. */
  readonly root: string;
  readonly tree: FileTree;
}
