import { dropData, readData, resizeData, writeData } from "./file-data.ts";
import type { DirectoryEntry, FileStat, FileTimes, OpenFile } from "./file-system.ts";
import { fail } from "./file-system-error.ts";
import type { DirectoryNode, FileNode, Node, NodeMaker } from "./node.ts";
import type { Quota } from "./quota.ts";
import { byteLength } from "./resolve.ts";

export interface OpenDeps {
  readonly nodes: NodeMaker;
  readonly quota: Quota;
  readonly now: () => bigint;
}

export interface Access {
  readonly readable: boolean;
  readonly writable: boolean;
  readonly append: boolean;
}

/** An open description that also knows its node: the way back from `Place.beneath`. */
export class OpenNode implements OpenFile {
  readonly node: Node;
  readonly readable: boolean;
  readonly writable: boolean;
  append: boolean;
  readonly #deps: OpenDeps;
  #offset = 0;
  #holders = 1;
  #listed: { readonly version: number; readonly entries: readonly DirectoryEntry[] } | undefined;

  /** Counts against the quota: EMFILE. */
  constructor(deps: OpenDeps, node: Node, access: Access) {
    deps.quota.takeOpen();
    this.#deps = deps;
    this.node = node;
    this.readable = access.readable;
    this.writable = access.writable;
    this.append = access.append;
    if (node.kind === "file") node.open += 1;
  }

  get kind(): Node["kind"] {
    return this.node.kind;
  }

  stat(): FileStat {
    return statOf(this.#live());
  }

  read(into: Uint8Array): number {
    const node = this.#toRead();
    if (node.kind === "device") return node.device.read(into);
    const length = readData(node, into, this.#offset);
    this.#offset += length;
    return length;
  }

  readAt(into: Uint8Array, offset: number): number {
    const node = this.#toRead();
    if (node.kind === "device") return fail("ESPIPE");
    return readData(node, into, checkOffset(offset));
  }

  write(from: Uint8Array): number {
    const node = this.#toWrite();
    if (node.kind === "device") return node.device.write(from);
    const offset = this.append ? node.size : this.#offset;
    writeData(node, from, offset, this.#deps.quota, this.#deps.now());
    this.#offset = offset + from.length;
    return from.length;
  }

  writeAt(from: Uint8Array, offset: number): number {
    const node = this.#toWrite();
    if (node.kind === "device") return fail("ESPIPE");
    const at = this.append ? node.size : checkOffset(offset);
    writeData(node, from, at, this.#deps.quota, this.#deps.now());
    return from.length;
  }

  seek(offset: number, from: "start" | "current" | "end"): number {
    const node = this.#live();
    if (node.kind === "device") return fail("ESPIPE");
    if (node.kind !== "file") return fail("EISDIR");
    const base = from === "start" ? 0 : from === "current" ? this.#offset : node.size;
    this.#offset = checkOffset(base + offset);
    return this.#offset;
  }

  truncate(size: number): void {
    const node = this.#toWrite();
    if (node.kind === "device") fail("EINVAL");
    resizeData(node, size, this.#deps.quota, this.#deps.now());
  }

  setTimes(times: FileTimes): void {
    setTimesOf(this.#live(), times, this.#deps.now());
  }

  list(cookie: number, limit: number): readonly DirectoryEntry[] {
    const node = this.#live();
    if (node.kind !== "directory") return fail("ENOTDIR");
    if (this.#listed?.version !== node.version)
      this.#listed = { version: node.version, entries: listEntries(this.#deps.nodes, node) };
    const { entries } = this.#listed;
    const from = firstAfter(entries, cookie);
    return entries.slice(from, from + limit);
  }

  share(): OpenFile {
    this.#live();
    this.#holders += 1;
    return this;
  }

  close(): void {
    if (this.#holders === 0) return;
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#deps.quota.held.open -= 1;
    this.#listed = undefined;
    if (this.node.kind === "file") releaseFile(this.node, this.#deps.quota);
  }

  #live(): Node {
    if (this.#holders === 0) fail("EBADF");
    return this.node;
  }

  #toRead(): Exclude<Node, DirectoryNode | { kind: "symlink" }> {
    const node = this.#live();
    if (node.kind === "directory") return fail("EISDIR");
    if (!this.readable || node.kind === "symlink") return fail("EBADF");
    return node;
  }

  #toWrite(): Exclude<Node, DirectoryNode | { kind: "symlink" }> {
    const node = this.#live();
    if (!this.writable || node.kind === "directory" || node.kind === "symlink") return fail("EBADF");
    return node;
  }
}

/** Called when a holder of the file is gone: a description that was closed. */
function releaseFile(node: FileNode, quota: Quota): void {
  node.open -= 1;
  if (node.open > 0) return;
  if (node.nlink === 0) dropData(node, quota);
  else if (!node.own) node.data = undefined;
}

export function statOf(node: Node): FileStat {
  return {
    ino: node.ino,
    kind: node.kind,
    mode: node.mode,
    nlink: node.nlink,
    size: node.kind === "file" ? node.size : node.kind === "symlink" ? byteLength(node.target) : 0,
    atime: node.atime,
    mtime: node.mtime,
    ctime: node.ctime,
  };
}

export function setTimesOf(node: Node, times: FileTimes, now: bigint): void {
  if (node.sealed) fail("EROFS");
  node.atime = times.atime ?? node.atime;
  node.mtime = times.mtime ?? node.mtime;
  node.ctime = now;
}

export function listEntries(nodes: NodeMaker, directory: DirectoryNode): DirectoryEntry[] {
  return Array.from(nodes.entriesOf(directory), ([name, { node, cookie }]) => ({
    name,
    ino: node.ino,
    kind: node.kind,
    cookie,
  }));
}

/** The index of the first entry with a higher cookie: entries are in the order of their cookies. */
function firstAfter(entries: readonly DirectoryEntry[], cookie: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.cookie ?? 0) <= cookie) low = middle + 1;
    else high = middle;
  }
  return low;
}

function checkOffset(offset: number): number {
  if (!Number.isSafeInteger(offset) || offset < 0) fail("EINVAL");
  return offset;
}
