import { throwIfAborted } from "@deputy/kit";
import type { FileTree, TreeEntry } from "../file-tree.ts";
import { WorkspaceError } from "../workspace-error.ts";

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  readonly version: number;
}

/** A tree of files in memory, for tests and for data that need not outlive the process. */
export function createMemoryFileTree(): FileTree {
  const files = new Map<string, MemoryFile>();
  /** Folders that somebody made; those of files are there by themselves. */
  const folders = new Set<string>();
  let versions = 0;

  const isFolder = (path: string): boolean =>
    path === "" ||
    folders.has(path) ||
    [...files.keys(), ...folders].some((file) => file.startsWith(`${path}/`));
  const assertWay = (path: string): void => {
    const names = path.split("/");
    for (let at = 1; at < names.length; at++) {
      const folder = names.slice(0, at).join("/");
      if (files.has(folder)) throw new WorkspaceError("not_a_folder", `${folder} is a file`);
    }
  };
  const folderOf = (path: string): string => (path === "" ? "" : `${path}/`);

  return {
    async stat(path, signal) {
      throwIfAborted(signal);
      const file = files.get(path);
      if (file === undefined) return { kind: isFolder(path) ? "folder" : "missing" };
      const { bytes, executable, version } = file;
      return { kind: "file", size: bytes.length, executable, version: String(version), changedMs: 0 };
    },
    async read(path, maxBytes, signal) {
      throwIfAborted(signal);
      const file = files.get(path);
      if (file === undefined && isFolder(path)) throw new WorkspaceError("not_a_file", `${path} is a folder`);
      if (file === undefined) throw new WorkspaceError("not_found", `There is no ${path}`);
      if (file.bytes.length > maxBytes)
        throw new WorkspaceError("file_too_large", `${path} has more than ${maxBytes} bytes`);
      return file.bytes.slice();
    },
    async list(path, signal) {
      throwIfAborted(signal);
      if (files.has(path)) throw new WorkspaceError("not_a_folder", `${path} is a file`);
      if (!isFolder(path)) throw new WorkspaceError("not_found", `There is no ${path}`);
      const found = new Map<string, TreeEntry>();
      for (const file of files.keys()) {
        if (!file.startsWith(folderOf(path))) continue;
        const [name = "", ...below] = file.slice(folderOf(path).length).split("/");
        found.set(name, { name, kind: below.length > 0 ? "folder" : "file" });
      }
      for (const folder of folders) {
        if (!folder.startsWith(folderOf(path)) || folder === path) continue;
        const [name = ""] = folder.slice(folderOf(path).length).split("/");
        found.set(name, { name, kind: "folder" });
      }
      return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async write(path, bytes, { executable }, signal) {
      throwIfAborted(signal);
      assertWay(path);
      if (isFolder(path)) throw new WorkspaceError("not_a_file", `${path} is a folder`);
      const before = files.get(path);
      files.set(path, {
        bytes: bytes.slice(),
        executable: executable ?? before?.executable ?? false,
        version: ++versions,
      });
    },
    async remove(path, signal) {
      throwIfAborted(signal);
      if (!files.has(path) && isFolder(path)) throw new WorkspaceError("not_a_file", `${path} is a folder`);
      files.delete(path);
      // As on a disk: folders that became empty go with the file.
      const names = path.split("/").slice(0, -1);
      for (; names.length > 0; names.pop()) {
        const above = names.join("/");
        if ([...files.keys(), ...folders].some((one) => one.startsWith(`${above}/`))) break;
        folders.delete(above);
      }
    },
    async makeFolder(path, signal) {
      throwIfAborted(signal);
      assertWay(`${path}/.`);
      const names = path === "" ? [] : path.split("/");
      for (; names.length > 0; names.pop()) folders.add(names.join("/"));
    },
    async removeFolder(path, signal) {
      throwIfAborted(signal);
      if (![...files.keys(), ...folders].some((one) => one.startsWith(`${path}/`))) folders.delete(path);
    },
  };
}
