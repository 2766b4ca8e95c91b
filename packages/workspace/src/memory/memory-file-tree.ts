import { throwIfAborted } from "@deputy/kit";
import type { FileTree, TreeEntry } from "../file-tree.ts";
import { WorkspaceError } from "../workspace-error.ts";

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  readonly version: string;
}

/** A tree of files in memory, for tests and for data that need not outlive the process. */
export function createMemoryFileTree(
  options: {
    /** The version of a file that is written now; none twice. */
    readonly version?: () => string;
  } = {},
): FileTree {
  const files = new Map<string, MemoryFile>();
  /** Folders that somebody made; those of files are there by themselves. */
  const folders = new Set<string>();
  /** How many files and made folders are below a folder. */
  const inside = new Map<string, number>();
  let versions = 0;
  const newVersion = options.version ?? (() => String(++versions));

  const count = (path: string, by: 1 | -1): void => {
    for (let at = path.lastIndexOf("/"); at !== -1; at = path.lastIndexOf("/", at - 1)) {
      const above = path.slice(0, at);
      inside.set(above, (inside.get(above) ?? 0) + by);
    }
  };
  const isEmpty = (path: string): boolean => (inside.get(path) ?? 0) === 0;
  const isFolder = (path: string): boolean => path === "" || folders.has(path) || !isEmpty(path);
  const addFolder = (path: string): void => {
    if (!folders.has(path)) count(path, 1);
    folders.add(path);
  };
  const dropFolder = (path: string): void => {
    if (folders.delete(path)) count(path, -1);
  };
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
      return { kind: "file", size: bytes.length, executable, version, changedMs: 0 };
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
      if (before === undefined) count(path, 1);
      files.set(path, {
        bytes: bytes.slice(),
        executable: executable ?? before?.executable ?? false,
        version: newVersion(),
      });
    },
    async remove(path, signal) {
      throwIfAborted(signal);
      if (!files.has(path) && isFolder(path)) throw new WorkspaceError("not_a_file", `${path} is a folder`);
      if (files.delete(path)) count(path, -1);
      // As on a disk: folders that became empty go with the file.
      const names = path.split("/").slice(0, -1);
      for (; names.length > 0; names.pop()) {
        const above = names.join("/");
        if (!isEmpty(above)) break;
        dropFolder(above);
      }
    },
    async makeFolder(path, signal) {
      throwIfAborted(signal);
      assertWay(`${path}/.`);
      const names = path === "" ? [] : path.split("/");
      for (; names.length > 0; names.pop()) addFolder(names.join("/"));
    },
    async removeFolder(path, signal) {
      throwIfAborted(signal);
      if (isEmpty(path)) dropFolder(path);
    },
  };
}
