import { type BaseTree, joinBase, type Origin } from "./base-tree.ts";
import type { Device } from "./device.ts";
import { fail, FileSystemError } from "./file-system-error.ts";

/** What a name in a directory leads to: an inode. */
export type Node = FileNode | DirectoryNode | SymlinkNode | DeviceNode;

interface Inode {
  readonly ino: number;
  mode: number;
  /** How many names it has; directories count as one. */
  nlink: number;
  atime: bigint;
  mtime: bigint;
  ctime: bigint;
  /** EROFS for whoever would change it. */
  readonly sealed: boolean;
  /** Where it came from, if it came from a base. */
  readonly origin: Origin | undefined;
}

export interface FileNode extends Inode {
  readonly kind: "file";
  size: number;
  /**
   * The bytes as far as they were written; up to `size`, the rest are zeros. `undefined`: they are in the base.
   * An array that came from the base is only read: see `own`.
   */
  data: Uint8Array | undefined;
  /** True once `data` belongs to this file and counts against the quota. */
  own: boolean;
  /** Descriptions that have it open. */
  open: number;
}

export interface DirectoryNode extends Inode {
  readonly kind: "directory";
  /** The root is its own parent. */
  parent: DirectoryNode;
  /** The name in `parent`; empty for the root. */
  name: string;
  /** `undefined`: not read from the base yet. Use `entriesOf`. */
  entries: Map<string, Entry> | undefined;
  nextCookie: number;
  /** Counts changes of the entries. */
  version: number;
  /** True once it has been removed: nothing can be made in it any more. */
  removed: boolean;
  /** EBUSY for whoever would remove or rename it. */
  fixed: boolean;
}

export interface SymlinkNode extends Inode {
  readonly kind: "symlink";
  readonly target: string;
}

export interface DeviceNode extends Inode {
  readonly kind: "device";
  readonly device: Device;
}

export interface Entry {
  readonly node: Node;
  readonly cookie: number;
}

/** Makes inodes, each with a number of its own. */
export interface NodeMaker {
  file(mode: number): FileNode;
  directory(parent: DirectoryNode | undefined, name: string, mode: number): DirectoryNode;
  /** `/dev`: nothing in it can be made or removed by name. */
  sealedDirectory(parent: DirectoryNode, name: string, entries: ReadonlyMap<string, Node>): DirectoryNode;
  symlink(target: string): SymlinkNode;
  device(device: Device): DeviceNode;
  /** The folder of a base, as a directory whose entries are read when somebody looks. */
  mount(parent: DirectoryNode, name: string, base: BaseTree, access: "writable" | "sealed"): DirectoryNode;
  /** What is in a directory, read from the base on the first call. */
  entriesOf(directory: DirectoryNode): Map<string, Entry>;
}

export function createNodeMaker(now: () => bigint): NodeMaker {
  let lastIno = 0;
  const inode = (mode: number, time: bigint, origin?: Origin, sealed = false): Inode => ({
    ino: (lastIno += 1),
    mode,
    nlink: 1,
    atime: time,
    mtime: time,
    ctime: time,
    sealed,
    origin,
  });

  const emptyDirectory = (about: Inode, parent: DirectoryNode | undefined, name: string): DirectoryNode => {
    const node: Omit<DirectoryNode, "parent"> & { parent?: DirectoryNode } = {
      ...about,
      kind: "directory",
      name,
      entries: about.origin === undefined ? new Map() : undefined,
      nextCookie: 1,
      version: 0,
      removed: false,
      fixed: false,
    };
    return Object.assign(node, { parent: parent ?? (node as DirectoryNode) });
  };

  const load = (directory: DirectoryNode, { base, path }: Origin): Map<string, Entry> => {
    const entries = new Map<string, Entry>();
    for (const entry of listBase(base, path)) {
      const origin: Origin = { base, path: joinBase(path, entry.name), mode: entry.mode };
      const about = inode(entry.mode, entry.mtime, origin, directory.sealed);
      const node: Node =
        entry.kind === "directory"
          ? emptyDirectory(about, directory, entry.name)
          : entry.kind === "symlink"
            ? { ...about, kind: "symlink", target: entry.target ?? "" }
            : { ...about, kind: "file", size: entry.size, data: undefined, own: false, open: 0 };
      entries.set(entry.name, { node, cookie: directory.nextCookie });
      directory.nextCookie += 1;
    }
    return entries;
  };

  return {
    file: (mode) => ({
      ...inode(mode, now()),
      kind: "file",
      size: 0,
      data: new Uint8Array(),
      own: true,
      open: 0,
    }),
    directory: (parent, name, mode) => emptyDirectory(inode(mode, now()), parent, name),
    sealedDirectory(parent, name, contents) {
      const directory = emptyDirectory(inode(0o755, now(), undefined, true), parent, name);
      for (const [inside, node] of contents) {
        directory.entries?.set(inside, { node, cookie: directory.nextCookie });
        directory.nextCookie += 1;
      }
      return Object.assign(directory, { fixed: true });
    },
    symlink: (target) => ({ ...inode(0o777, now()), kind: "symlink", target }),
    device: (device) => ({ ...inode(0o666, now()), kind: "device", device }),
    mount(parent, name, base, access) {
      const about = inode(0o755, now(), { base, path: "", mode: 0o755 }, access === "sealed");
      return Object.assign(emptyDirectory(about, parent, name), { fixed: true });
    },
    entriesOf(directory) {
      if (directory.entries !== undefined) return directory.entries;
      if (directory.origin === undefined) throw new Error("A directory without a base has its entries.");
      directory.entries = load(directory, directory.origin);
      return directory.entries;
    },
  };
}

function listBase(base: BaseTree, path: string): ReturnType<BaseTree["list"]> {
  try {
    return base.list(path);
  } catch (cause) {
    throw new FileSystemError("EIO", { cause });
  }
}

/** The bytes of a file as far as they are stored, read from the base if they are still there. Only to read. */
export function dataOf(node: FileNode): Uint8Array {
  if (node.data !== undefined) return node.data;
  const bytes = readBase(node.origin);
  if (bytes.length !== node.size) return fail("EIO");
  if (node.open > 0) node.data = bytes;
  return bytes;
}

export function readBase(origin: Origin | undefined): Uint8Array {
  if (origin === undefined) throw new Error("A file without a base has its bytes.");
  try {
    return origin.base.read(origin.path);
  } catch (cause) {
    throw new FileSystemError("EIO", { cause });
  }
}
