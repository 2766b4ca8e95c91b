import { fail } from "./file-system-error.ts";
import { dataOf, type FileNode } from "./node.ts";
import type { Quota } from "./quota.ts";

/** Copies bytes at `offset` into `into`; gives how many there were. */
export function readData(node: FileNode, into: Uint8Array, offset: number): number {
  const length = Math.min(into.length, Math.max(0, node.size - offset));
  if (length === 0) return 0;
  const data = dataOf(node);
  const stored = data.subarray(
    Math.min(offset, data.length),
    Math.min(offset + length, data.length, node.size),
  );
  into.set(stored);
  if (stored.length < length) into.fill(0, stored.length, length);
  return length;
}

/** Writes all of it or nothing. What lies between the end and `offset` reads as zeros. */
export function writeData(node: FileNode, from: Uint8Array, offset: number, quota: Quota, now: bigint): void {
  if (from.length === 0) return;
  const end = offset + from.length;
  makeOwn(node, Math.max(end, node.size), quota);
  const data = room(node, end);
  data.set(from, offset);
  node.size = Math.max(node.size, end);
  node.mtime = node.ctime = now;
}

/** Makes the file `size` bytes long. Growing stores nothing: the new bytes are zeros. */
export function resizeData(node: FileNode, size: number, quota: Quota, now: bigint): void {
  if (!Number.isSafeInteger(size) || size < 0) fail("EINVAL");
  makeOwn(node, size, quota);
  // Bytes behind the end must read as zeros if the file grows again.
  if (node.data !== undefined && size < node.data.length) node.data = node.data.slice(0, size);
  node.size = size;
  node.mtime = node.ctime = now;
}

/** Gives back what the file holds, when nobody can reach it any more. */
export function dropData(node: FileNode, quota: Quota): void {
  if (node.own) quota.held.bytes -= node.size;
  node.own = true;
  node.size = 0;
  node.data = new Uint8Array();
}

/** Counts the file with `size` bytes, and copies what is still the base's. Changes nothing if that is too much. */
function makeOwn(node: FileNode, size: number, quota: Quota): void {
  quota.takeBytes(size, node.own ? size - node.size : size);
  if (node.own) return;
  if (size === 0) node.data = new Uint8Array();
  else {
    try {
      node.data = dataOf(node).slice();
    } catch (error) {
      quota.held.bytes -= size;
      throw error;
    }
  }
  node.own = true;
}

/** The file's array, with room for `end` bytes. It grows by half, so that many small writes copy little. */
function room(node: FileNode, end: number): Uint8Array {
  const data = node.data ?? new Uint8Array();
  if (data.length >= end) return data;
  const grown = new Uint8Array(
    Math.max(end, Math.min(data.length * 1.5, data.length + 16 * 1024 * 1024), 64),
  );
  grown.set(data);
  node.data = grown;
  return grown;
}
