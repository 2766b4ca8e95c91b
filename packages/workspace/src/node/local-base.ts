import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import type { BaseEntry, BaseTree } from "@deputy/vfs";
import { isAt } from "./anchored-folder.ts";
import { PARTIAL } from "./partial-notes.ts";

const NO_LINKS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HAS_PROC = process.platform === "linux";

/**
 * The files under a real path, read when somebody looks. No link is followed, even if one is inserted meanwhile: a link
 * is an entry that says where it leads. A file that changed since it was listed cannot be read.
 */
export function createLocalBase(root: string): BaseTree {
  // A folder is asked about again when changes are looked for, and must be what it was.
  const folders = new Map<string, readonly BaseEntry[]>();
  const listed = new Map<string, { readonly size: number; readonly mtime: bigint }>();
  const openAt = (path: string, flags: number): number => {
    const place = path === "" ? root : join(root, path);
    const handle = openSync(place, NO_LINKS | flags);
    if (isAt(handle, place)) return handle;
    closeSync(handle);
    throw new Error("A link stands in the way");
  };
  return {
    list(path) {
      const known = folders.get(path);
      if (known !== undefined) return known;
      const handle = openAt(path, constants.O_DIRECTORY ?? 0);
      try {
        const folder = HAS_PROC ? `/proc/self/fd/${handle}` : join(root, path);
        const entries: BaseEntry[] = [];
        for (const name of readdirSync(folder)) {
          if (PARTIAL.test(name)) continue;
          const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
          const entry = found === undefined ? undefined : describe(folder, name, found);
          if (entry === undefined) continue;
          entries.push(entry);
          if (entry.kind === "file") listed.set(path === "" ? name : `${path}/${name}`, entry);
        }
        folders.set(path, entries);
        return entries;
      } finally {
        closeSync(handle);
      }
    },
    read(path) {
      const handle = openAt(path, 0);
      try {
        const found = fstatSync(handle, { bigint: true });
        const before = listed.get(path);
        if (!found.isFile() || found.mtimeNs !== before?.mtime || Number(found.size) !== before.size)
          throw new Error("It changed since it was listed");
        const bytes = new Uint8Array(before.size);
        for (let at = 0; at < bytes.length;) {
          const length = readSync(handle, bytes, at, bytes.length - at, at);
          if (length === 0) throw new Error("It became shorter while it was read");
          at += length;
        }
        return bytes;
      } finally {
        closeSync(handle);
      }
    },
  };
}

/** Undefined for what a workspace cannot hold: sockets, pipes, devices. */
function describe(folder: string, name: string, found: BigIntStats): BaseEntry | undefined {
  const about = { name, mode: Number(found.mode & 0o7777n), size: Number(found.size), mtime: found.mtimeNs };
  if (found.isFile()) return { ...about, kind: "file" };
  if (found.isDirectory()) return { ...about, kind: "directory", size: 0 };
  if (found.isSymbolicLink()) return { ...about, kind: "symlink", target: readlinkSync(join(folder, name)) };
  return undefined;
}
