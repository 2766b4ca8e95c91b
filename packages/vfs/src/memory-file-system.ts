import type { BaseTree } from "./base-tree.ts";
import { listChanges } from "./changes.ts";
import { type Device, type RandomBytes, standardDevices } from "./device.ts";
import { dropData, resizeData, writeData } from "./file-data.ts";
import type { FileSystem, OpenFile, OpenOptions, Place } from "./file-system.ts";
import { fail } from "./file-system-error.ts";
import { createNodeMaker, dataOf, type DirectoryNode, type Node } from "./node.ts";
import { listEntries, OpenNode, setTimesOf, statOf } from "./open-node.ts";
import { createQuota, defaultFileSystemLimits, type FileSystemLimits } from "./quota.ts";
import { byteLength, pathOf, resolve, type Resolved } from "./resolve.ts";

export interface Mount {
  /** An absolute path; the directories above it are made. `/` puts the base at the root. */
  readonly at: string;
  readonly base: BaseTree;
  /** "sealed": EROFS for every change. The default is "writable". */
  readonly access?: "writable" | "sealed";
}

export interface MemoryFileSystemDeps {
  /** Nanoseconds since 1970. */
  readonly now: () => bigint;
  readonly random: RandomBytes;
  readonly limits?: Partial<FileSystemLimits>;
  readonly mounts?: readonly Mount[];
  /** More files in `/dev`, by name; they stand before those that are always there. */
  readonly devices?: Readonly<Record<string, Device>>;
}

const DIRECTORY_MODE = 0o755;
const FILE_MODE = 0o644;
const MODE_BITS = 0o7777;

/** A file system in memory, with `/dev`, and with bases behind the folders where they are mounted. */
export function createMemoryFileSystem(deps: MemoryFileSystemDeps): FileSystem {
  const { now } = deps;
  const nodes = createNodeMaker(now);
  const quota = createQuota({ ...defaultFileSystemLimits, ...deps.limits });
  const openDeps = { nodes, quota, now };
  const mounted = new Map<DirectoryNode, BaseTree>();
  const root = makeRoot();

  function makeRoot(): DirectoryNode {
    const atRoot = deps.mounts?.find((mount) => mount.at === "/");
    const made = nodes.directory(undefined, "", DIRECTORY_MODE);
    if (atRoot === undefined) return Object.assign(made, { fixed: true });
    const based = nodes.mount(made, "", atRoot.base, atRoot.access ?? "writable");
    based.parent = based;
    mounted.set(based, atRoot.base);
    return based;
  }

  const walk = (place: Place, links: "follow" | "keep"): Resolved => {
    if (typeof place === "string")
      return resolve(nodes, { directory: root, root, bounds: "free" }, place, links);
    const { beneath } = place;
    if (!(beneath instanceof OpenNode)) return fail("EBADF");
    if (beneath.node.kind !== "directory") return fail("ENOTDIR");
    return resolve(nodes, { directory: beneath.node, root, bounds: "confined" }, place.path, links);
  };

  const find = (place: Place, links: "follow" | "keep"): Node => {
    const { node, wantsDirectory } = walk(place, links);
    if (node === undefined) return fail("ENOENT");
    if (wantsDirectory && node.kind !== "directory") return fail("ENOTDIR");
    return node;
  };

  const findFile = (place: Place): Extract<Node, { kind: "file" }> => {
    const node = find(place, "follow");
    if (node.kind === "directory") return fail("EISDIR");
    return node.kind === "file" ? node : fail("EINVAL");
  };

  /** Puts a node under a name that is free, counted already or not. */
  const put = (parent: DirectoryNode, name: string, node: Node): void => {
    nodes.entriesOf(parent).set(name, { node, cookie: parent.nextCookie });
    parent.nextCookie += 1;
    touch(parent);
    if (node.kind !== "directory") return;
    node.parent = parent;
    node.name = name;
  };

  const take = (parent: DirectoryNode, name: string): void => {
    nodes.entriesOf(parent).delete(name);
    touch(parent);
  };

  const touch = (directory: DirectoryNode): void => {
    directory.version += 1;
    directory.mtime = directory.ctime = now();
  };

  const create = <Made extends Node>(at: Resolved, make: () => Made): Made => {
    const { parent, name } = at;
    if (parent === undefined) return fail("EEXIST");
    checkWritable(parent);
    if (parent.removed) return fail("ENOENT");
    quota.takeName();
    const node = make();
    put(parent, name, node);
    return node;
  };

  /** One name less: of the last one, the bytes go too, unless somebody has the file open. */
  const forget = (node: Node): void => {
    // What came with a base never counted.
    if (node.origin === undefined || node.nlink > 1) quota.held.files -= 1;
    node.nlink -= 1;
    node.ctime = now();
    if (node.kind === "directory") node.removed = true;
    if (node.kind === "symlink" && node.nlink === 0 && node.origin === undefined)
      quota.held.bytes -= byteLength(node.target);
    if (node.kind === "file" && node.nlink === 0 && node.open === 0) dropData(node, quota);
  };

  const openAt = (place: Place, options: OpenOptions): OpenNode => {
    const exclusive = options.create === true && options.exclusive === true;
    const at = walk(place, exclusive ? "keep" : (options.links ?? "follow"));
    const access = {
      readable: options.read ?? false,
      writable: (options.write ?? false) || (options.append ?? false),
      append: options.append ?? false,
    };
    if (at.node === undefined) {
      if (options.create !== true) return fail("ENOENT");
      if (at.wantsDirectory || options.directory === true) return fail("EISDIR");
      if (quota.held.open >= quota.limits.open) return fail("EMFILE");
      return new OpenNode(
        openDeps,
        create(at, () => nodes.file((options.mode ?? FILE_MODE) & MODE_BITS)),
        access,
      );
    }
    const { node } = at;
    if (exclusive) return fail("EEXIST");
    if (node.kind === "symlink") return fail(options.directory === true ? "ENOTDIR" : "ELOOP");
    if (node.kind !== "directory" && (at.wantsDirectory || options.directory === true))
      return fail("ENOTDIR");
    const changes = access.writable || options.truncate === true;
    if (node.kind === "directory" && (changes || options.create === true)) return fail("EISDIR");
    if (changes && node.kind !== "device") checkWritable(node);
    const opened = new OpenNode(openDeps, node, access);
    if (options.truncate === true && node.kind === "file") resizeData(node, 0, quota, now());
    return opened;
  };

  const fileSystem: FileSystem = {
    open: (place, options): OpenFile => openAt(place, options),
    stat: (place, links) => statOf(find(place, links)),
    realPath(place) {
      const { parent, name, node, wantsDirectory } = walk(place, "follow");
      if (node === undefined) return fail("ENOENT");
      if (node.kind === "directory") return pathOf(node);
      if (wantsDirectory || parent === undefined) return fail("ENOTDIR");
      return `${parent === root ? "" : pathOf(parent)}/${name}`;
    },
    readLink(place) {
      const node = find(place, "keep");
      return node.kind === "symlink" ? node.target : fail("EINVAL");
    },
    makeDirectory(place, mode = DIRECTORY_MODE) {
      const at = walk(place, "keep");
      if (at.node !== undefined) fail("EEXIST");
      create(at, () => nodes.directory(at.parent, at.name, mode & MODE_BITS));
    },
    removeDirectory(place) {
      const { parent, name, node } = walk(place, "keep");
      if (node === undefined) fail("ENOENT");
      if (node.kind !== "directory") fail("ENOTDIR");
      if (node.fixed) fail("EBUSY");
      if (parent === undefined) fail(nodes.entriesOf(node).size > 0 ? "ENOTEMPTY" : "EINVAL");
      checkWritable(parent);
      if (nodes.entriesOf(node).size > 0) fail("ENOTEMPTY");
      take(parent, name);
      forget(node);
    },
    unlink(place) {
      const { parent, name, node, wantsDirectory } = walk(place, "keep");
      if (node === undefined) fail("ENOENT");
      if (node.kind === "directory" || parent === undefined) fail("EISDIR");
      if (wantsDirectory) fail("ENOTDIR");
      checkWritable(parent);
      take(parent, name);
      forget(node);
    },
    rename(from, to) {
      const source = walk(from, "keep");
      const target = walk(to, "keep");
      const moved = source.node;
      if (moved === undefined) fail("ENOENT");
      if (source.parent === undefined || target.parent === undefined) fail("EBUSY");
      if ((source.wantsDirectory || target.wantsDirectory) && moved.kind !== "directory") fail("ENOTDIR");
      const replaced = target.node;
      if (moved.kind === "directory" && moved.fixed) fail("EBUSY");
      if (replaced?.kind === "directory" && replaced.fixed) fail("EBUSY");
      checkWritable(source.parent);
      checkWritable(target.parent);
      if (target.parent.removed) fail("ENOENT");
      if (replaced === moved) return;
      if (moved.kind === "directory" && isInside(target.parent, moved)) fail("EINVAL");
      if (replaced !== undefined) {
        if (moved.kind === "directory" && replaced.kind !== "directory") fail("ENOTDIR");
        if (moved.kind !== "directory" && replaced.kind === "directory") fail("EISDIR");
        if (replaced.kind === "directory" && nodes.entriesOf(replaced).size > 0) fail("ENOTEMPTY");
        take(target.parent, target.name);
        forget(replaced);
      }
      take(source.parent, source.name);
      put(target.parent, target.name, moved);
      moved.ctime = now();
    },
    link(from, to) {
      const source = find(from, "keep");
      const target = walk(to, "keep");
      if (target.node !== undefined) fail("EEXIST");
      if (target.wantsDirectory) fail("ENOENT");
      if (source.kind === "directory" || source.kind === "device") fail("EPERM");
      if (source.sealed) fail("EROFS");
      create(target, () => source);
      source.nlink += 1;
      source.ctime = now();
    },
    symlink(target, place) {
      if (target === "") fail("ENOENT");
      if (target.includes("\0")) fail("EINVAL");
      if (!target.isWellFormed()) fail("EILSEQ");
      const at = walk(place, "keep");
      if (at.node !== undefined)
        fail(at.wantsDirectory && at.node.kind !== "directory" ? "ENOTDIR" : "EEXIST");
      if (at.wantsDirectory) fail("ENOENT");
      const node = nodes.symlink(target);
      if (byteLength(node.target) > 4096) fail("ENAMETOOLONG");
      quota.takeBytes(0, byteLength(node.target));
      try {
        create(at, () => node);
      } catch (error) {
        quota.held.bytes -= byteLength(node.target);
        throw error;
      }
    },
    setMode(place, mode, links = "follow") {
      const node = find(place, links);
      if (node.kind === "symlink") fail("EINVAL");
      checkWritable(node);
      node.mode = mode & MODE_BITS;
      node.ctime = now();
    },
    setTimes: (place, times, links) => setTimesOf(find(place, links), times, now()),
    truncate(place, size) {
      const node = findFile(place);
      checkWritable(node);
      resizeData(node, size, quota, now());
    },
    readDirectory(place) {
      const node = find(place, "follow");
      return node.kind === "directory" ? listEntries(nodes, node) : fail("ENOTDIR");
    },
    readFile(place) {
      const node = findFile(place);
      const bytes = new Uint8Array(node.size);
      bytes.set(dataOf(node).subarray(0, node.size));
      return bytes;
    },
    writeFile(place, bytes, mode = FILE_MODE) {
      const opened = openAt(place, { write: true, create: true, mode });
      try {
        if (opened.node.kind === "device") opened.write(bytes);
        else if (opened.node.kind === "file") {
          // What is there is replaced only once it is clear that the new bytes fit.
          if (bytes.length > opened.node.size) writeData(opened.node, bytes, 0, quota, now());
          else {
            resizeData(opened.node, bytes.length, quota, now());
            writeData(opened.node, bytes, 0, quota, now());
          }
        }
      } finally {
        opened.close();
      }
    },
    usage: () => ({ ...quota.held }),
    changes(mountPoint) {
      const node = find(mountPoint, "follow");
      const base = node.kind === "directory" ? mounted.get(node) : undefined;
      return node.kind === "directory" && base !== undefined
        ? listChanges(nodes, node, base)
        : fail("EINVAL");
    },
  };

  setUp();
  return fileSystem;

  function setUp(): void {
    for (const { at, base, access } of deps.mounts ?? []) {
      if (at === "/") continue;
      const names = at.split("/").filter((name) => name !== "");
      const last = names.pop() ?? fail("EINVAL");
      let parent = root;
      for (const name of names) parent = fixedDirectory(parent, name);
      if (nodes.entriesOf(parent).has(last)) fail("EEXIST");
      const node = nodes.mount(parent, last, base, access ?? "writable");
      put(parent, last, node);
      mounted.set(node, base);
    }
    const devices = Object.entries({ ...standardDevices(deps.random), ...deps.devices });
    const inside = new Map(devices.map(([name, device]) => [name, nodes.device(device)]));
    put(root, "dev", nodes.sealedDirectory(root, "dev", inside));
  }

  /** A directory that is there from the start and cannot be moved away. */
  function fixedDirectory(parent: DirectoryNode, name: string): DirectoryNode {
    const there = nodes.entriesOf(parent).get(name)?.node;
    if (there !== undefined) return there.kind === "directory" ? there : fail("ENOTDIR");
    const node = nodes.directory(parent, name, DIRECTORY_MODE);
    node.fixed = true;
    put(parent, name, node);
    return node;
  }
}

function checkWritable(node: Node): void {
  if (node.sealed) fail("EROFS");
}

function isInside(directory: DirectoryNode, of: DirectoryNode): boolean {
  for (let at = directory; ; at = at.parent) {
    if (at === of) return true;
    if (at.parent === at) return false;
  }
}
