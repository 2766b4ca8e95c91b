import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
} from "node:fs";
import { chmod, type FileHandle, open, rename, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemCodeOf, throwIfAborted } from "@deputy/kit";
import type { FileTree, TreeEntry, TreeStat, WriteOptions } from "../file-tree.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { type AnchoredFolder, anchorFolderOf, CAN_TELL, isAt } from "./anchored-folder.ts";
import { fileFailure, linkRefused } from "./file-failure.ts";
import { PARTIAL, type PartialNotes } from "./partial-notes.ts";

/** Opens without following a link, and without waiting for the writer of a pipe. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** A file may be replaced just as it is opened, but not this often. */
const TRIES = 5;
/** A file up to this size is read at once: handing it to another thread would take longer. */
const SMALL_BYTES = 128 * 1024;

/**
 * A folder on disk; `root` is its real path. Metadata and small files are read synchronously, others in the background.
 * `notes` record partial files, if the folder is not Deputy's own.
 */
export function createLocalFileTree(root: string, notes?: PartialNotes): FileTree {
  const statOf = (path: string): BigIntStats | "missing" | "behind" => {
    const names = path === "" ? [] : path.split("/");
    for (let depth = 1; depth <= names.length; depth++) {
      const found = lstatSync(join(root, ...names.slice(0, depth)), { bigint: true, throwIfNoEntry: false });
      if (found === undefined) return "missing";
      if (depth === names.length) return found;
      if (found.isSymbolicLink()) return "behind";
      if (!found.isDirectory()) return "missing";
    }
    return lstatSync(root, { bigint: true });
  };

  const openFile = async (path: string): Promise<FileHandle> => {
    for (let tried = 0; tried < TRIES; tried++) {
      const before = statOf(path);
      if (before === "behind" || (before !== "missing" && before.isSymbolicLink())) throw linkRefused(path);
      const handle = await open(join(root, path), READ_ONLY);
      if (isAt(handle.fd, join(root, path))) return handle;
      await handle.close();
    }
    throw linkRefused(path);
  };

  /** Undefined if the file is not small, or was replaced meanwhile: then it is opened with more care. */
  const readSmall = (path: string, maxBytes: number): Uint8Array | undefined => {
    // Where `isAt` can tell, it sees a link in the path, too: nothing is looked at twice.
    const before = CAN_TELL
      ? lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false })
      : statOf(path);
    if (typeof before !== "object" || !before.isFile() || before.size > SMALL_BYTES) return undefined;
    if (before.size > maxBytes) throw tooLarge(path, maxBytes);
    const handle = openSync(join(root, path), READ_ONLY);
    try {
      if (!isAt(handle, join(root, path)) || !fstatSync(handle).isFile()) return undefined;
      const size = Number(before.size);
      const bytes = new Uint8Array(size + 1);
      const read = readSync(handle, bytes);
      return read > size ? undefined : bytes.subarray(0, read);
    } finally {
      closeSync(handle);
    }
  };

  return {
    async stat(path, signal): Promise<TreeStat> {
      throwIfAborted(signal);
      try {
        return describe(statOf(path));
      } catch (error) {
        throw fileFailure(path, error);
      }
    },

    async read(path, maxBytes, signal) {
      throwIfAborted(signal);
      try {
        const small = readSmall(path, maxBytes);
        if (small !== undefined) return small;
        await using handle = await openFile(path);
        const { size } = await fileOf(handle, path);
        if (size > maxBytes) throw tooLarge(path, maxBytes);
        const bytes = new Uint8Array(size + 1);
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled);
          if (bytesRead === 0) return bytes.subarray(0, filled);
          filled += bytesRead;
        }
        // It grew while it was read: the first part was once the whole file.
        return bytes.subarray(0, size);
      } catch (error) {
        throw fileFailure(path, error);
      }
    },

    async list(path, signal) {
      throwIfAborted(signal);
      try {
        const found = statOf(path);
        if (found === "behind") throw linkRefused(path);
        if (found !== "missing" && found.isSymbolicLink()) throw linkRefused(path);
        if (found !== "missing" && !found.isDirectory())
          throw new WorkspaceError("not_a_folder", `${path} is not a folder`);
        return readdirSync(join(root, path), { withFileTypes: true })
          .filter(({ name }) => !PARTIAL.test(name))
          .map((entry): TreeEntry => {
            const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
            return { name: entry.name, kind };
          })
          .sort((a, b) => (a.name < b.name ? -1 : 1));
      } catch (error) {
        throw fileFailure(path, error);
      }
    },

    async write(path, bytes, options, signal) {
      throwIfAborted(signal);
      const before = statOf(path);
      if (before === "behind") throw linkRefused(path);
      const replaced = before === "missing" ? undefined : before;
      if (replaced?.isDirectory() === true) throw new WorkspaceError("not_a_file", `${path} is a folder`);
      if (replaced?.isFile() === false) throw linkRefused(path);
      await using folder = await anchorFolderOf(root, path, "make");
      try {
        const partial = `.deputy-${randomBytes(8).toString("hex")}.partial`;
        notes?.add(root, path, partial);
        await replaceFile(folder, { partial, name: basename(path) }, bytes, options, replaced);
        notes?.drop(partial);
      } catch (error) {
        throw fileFailure(path, error);
      }
    },

    async remove(path, signal) {
      throwIfAborted(signal);
      if (statOf(path) === "missing") return;
      try {
        {
          await using folder = await anchorFolderOf(root, path, "refuse");
          await unlink(folder.at(basename(path)));
          await folder.sync();
        }
        removeEmptyFolders(root, path);
      } catch (error) {
        const code = systemCodeOf(error);
        if (code === "ENOENT") return;
        // Systems disagree on what unlinking a folder means.
        const found = statOf(path);
        if (typeof found !== "string" && found.isDirectory())
          throw new WorkspaceError("not_a_file", `${path} is a folder`);
        throw fileFailure(path, error);
      }
    },

    async makeFolder(path, signal) {
      throwIfAborted(signal);
      await using _folder = await anchorFolderOf(root, `${path}/.`, "make");
    },

    async removeFolder(path, signal) {
      throwIfAborted(signal);
      const found = statOf(path);
      if (typeof found === "string" || !found.isDirectory()) return;
      await using folder = await anchorFolderOf(root, path, "refuse");
      try {
        rmdirSync(folder.at(basename(path)));
      } catch (error) {
        if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(systemCodeOf(error) ?? ""))
          throw fileFailure(path, error);
      }
    },
  };
}

function describe(found: BigIntStats | "missing" | "behind"): TreeStat {
  if (found === "missing") return { kind: "missing" };
  if (found === "behind") return { kind: "other" };
  if (found.isDirectory()) return { kind: "folder" };
  if (!found.isFile()) return { kind: "other" };
  return {
    kind: "file",
    size: Number(found.size),
    executable: isExecutable(found),
    mode: Number(found.mode) & 0o777,
    version: `${found.ino}.${found.size}.${found.mtimeNs}.${found.ctimeNs}`,
    changedMs: Number(found.ctimeMs),
  };
}

function isExecutable({ mode }: BigIntStats): boolean {
  return (Number(mode) & 0o100) !== 0;
}

async function fileOf(handle: FileHandle, path: string): Promise<{ readonly size: number }> {
  const found = await handle.stat();
  if (found.isDirectory()) throw new WorkspaceError("not_a_file", `${path} is a folder`);
  if (!found.isFile()) throw new WorkspaceError("not_a_file", `${path} is not a regular file`);
  return found;
}

function tooLarge(path: string, maxBytes: number): WorkspaceError {
  return new WorkspaceError("file_too_large", `${path} has more than ${maxBytes} bytes`);
}

/** Writes a new file beside the old one, then renames it, so that a file is never half written. */
async function replaceFile(
  folder: AnchoredFolder,
  { partial: draft, name }: { readonly partial: string; readonly name: string },
  bytes: Uint8Array,
  { executable, durability = "full" }: WriteOptions,
  replaced: BigIntStats | undefined,
): Promise<void> {
  const partial = folder.at(draft);
  const handle = await open(partial, CREATE, executable === true ? 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    if (replaced !== undefined) await takeOver(handle, partial, replaced, executable);
    if (durability === "full") await handle.sync();
    await handle.close();
    await rename(partial, folder.at(name));
    if (durability === "full") await folder.sync();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(partial).catch(() => undefined);
    throw error;
  }
}

async function takeOver(
  handle: FileHandle,
  partial: string,
  replaced: BigIntStats,
  executable: boolean | undefined,
): Promise<void> {
  const made = await handle.stat();
  const [uid, gid] = [Number(replaced.uid), Number(replaced.gid)];
  // Only root can change the owner of a file, and only root replaces files of other users.
  if (made.uid !== uid || made.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  const mode = Number(replaced.mode) & 0o777;
  if (executable === undefined || executable === isExecutable(replaced)) return await chmod(partial, mode);
  // Everyone who may read the file may also run it.
  await chmod(partial, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}

function removeEmptyFolders(root: string, path: string): void {
  const names = path.split("/").slice(0, -1);
  for (; names.length > 0; names.pop()) {
    try {
      rmdirSync(join(root, ...names));
    } catch {
      return; // It is not empty, or Deputy may not remove it.
    }
  }
}
