import { throwIfAborted } from "@deputy/kit";
import { type Base, EMPTY_BASE } from "../base.ts";
import type { FileTree } from "../file-tree.ts";
import type { ShadowStore } from "../shadow-store.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { createMemoryFileTree } from "./memory-file-tree.ts";

/** Keeps a workspace in memory; `folders` are the real folders by name. */
export function createMemoryShadowStore(folders: ReadonlyMap<string, FileTree>): ShadowStore {
  let base: Base = EMPTY_BASE;
  let tree = createMemoryFileTree();
  const contents = new Map<string, Uint8Array>();
  let snapshots: string | undefined;

  return {
    async load(signal) {
      throwIfAborted(signal);
      return { base, tree };
    },
    async saveBase(changed, signal) {
      throwIfAborted(signal);
      base = changed;
    },
    async readContent(sha256, signal) {
      throwIfAborted(signal);
      const bytes = contents.get(sha256);
      if (bytes === undefined)
        throw new WorkspaceError("workspace_damaged", "Content of the base is missing");
      return bytes.slice();
    },
    async keepContent(sha256, bytes, signal) {
      throwIfAborted(signal);
      contents.set(sha256, bytes.slice());
    },
    async loadSnapshots(signal) {
      throwIfAborted(signal);
      return snapshots;
    },
    async saveSnapshots(text, signal) {
      throwIfAborted(signal);
      snapshots = text;
    },
    async begin() {
      const drafted = createMemoryFileTree();
      return {
        async put(path, { bytes, sha256, executable }, signal) {
          contents.set(sha256, bytes.slice());
          await drafted.write(path, bytes, { executable }, signal);
          return { sha256, size: bytes.length, executable };
        },
        async finish(changed, signal) {
          throwIfAborted(signal);
          [base, tree, snapshots] = [changed, drafted, undefined];
        },
        async [Symbol.asyncDispose]() {},
      };
    },
    async lock(signal) {
      throwIfAborted(signal);
      return { async [Symbol.asyncDispose]() {} };
    },
    async openReal(root, signal) {
      throwIfAborted(signal);
      const found = folders.get(root);
      if (found === undefined) throw new WorkspaceError("folder_missing", `There is no folder ${root}`);
      return { root, tree: found };
    },
  };
}
