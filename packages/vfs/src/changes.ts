import { type BaseEntry, type BaseTree, joinBase } from "./base-tree.ts";
import { FileSystemError } from "./file-system-error.ts";
import { dataOf, type DirectoryNode, type FileNode, type Node, type NodeMaker, readBase } from "./node.ts";

/** One difference from a base. A path whose kind changed is deleted and created. */
export interface Change {
  /** Relative to the mount point. */
  readonly path: string;
  readonly change: "created" | "modified" | "deleted";
  readonly kind: "file" | "directory" | "symlink";
}

interface Pair {
  readonly path: string;
  readonly node: Node | undefined;
  readonly base: BaseEntry | undefined;
}

/**
 * Compares a mounted directory with its base. Folders that nobody has looked into are passed over without reading
 * them; a file counts as modified only if its bytes or its mode differ. Sorted by path; a deletion comes first.
 */
export function listChanges(nodes: NodeMaker, mounted: DirectoryNode, base: BaseTree): Change[] {
  const changes: Change[] = [];
  const waiting: Pair[] = pairsOf(nodes, mounted, base, "");
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const { path, node } = pair;
    if (node?.kind === "device" || (node?.kind === "directory" && node.fixed)) continue;
    if (node !== undefined && pair.base !== undefined && node.kind === pair.base.kind) {
      if (differs(node, pair.base, base, path)) changes.push({ path, change: "modified", kind: node.kind });
      if (node.kind === "directory" && !isUntouched(node, base, path))
        for (const inside of pairsOf(nodes, node, base, path)) waiting.push(inside);
      continue;
    }
    if (pair.base !== undefined) {
      changes.push({ path, change: "deleted", kind: pair.base.kind });
      if (pair.base.kind === "directory")
        for (const inside of pairsOf(nodes, undefined, base, path)) waiting.push(inside);
    }
    if (node !== undefined) {
      changes.push({ path, change: "created", kind: node.kind });
      if (node.kind === "directory")
        for (const inside of pairsOf(nodes, node, undefined, path)) waiting.push(inside);
    }
  }
  return changes.sort((a, b) => compare(a.path, b.path) || compare(b.change, a.change));
}

/** The entries of a directory beside those of the base at the same path. */
function pairsOf(
  nodes: NodeMaker,
  directory: DirectoryNode | undefined,
  base: BaseTree | undefined,
  path: string,
): Pair[] {
  const entries = directory === undefined ? new Map<string, never>() : nodes.entriesOf(directory);
  const based = new Map((base === undefined ? [] : listOf(base, path)).map((entry) => [entry.name, entry]));
  return [...new Set([...entries.keys(), ...based.keys()])].map((name) => ({
    path: joinBase(path, name),
    node: entries.get(name)?.node,
    base: based.get(name),
  }));
}

function listOf(base: BaseTree, path: string): readonly BaseEntry[] {
  try {
    return base.list(path);
  } catch (cause) {
    throw new FileSystemError("EIO", { cause });
  }
}

function isUntouched(node: DirectoryNode, base: BaseTree, path: string): boolean {
  return node.entries === undefined && node.origin?.base === base && node.origin.path === path;
}

function differs(
  node: Exclude<Node, { kind: "device" }>,
  entry: BaseEntry,
  base: BaseTree,
  path: string,
): boolean {
  if (node.kind === "symlink") return node.target !== (entry.target ?? "");
  if (node.mode !== entry.mode) return true;
  if (node.kind === "directory") return false;
  const sameSource = !node.own && node.origin?.base === base && node.origin.path === path;
  return (
    !sameSource && (node.size !== entry.size || !hasBytes(node, readBase({ base, path, mode: entry.mode })))
  );
}

/** True if the file reads as exactly these bytes. */
function hasBytes(node: FileNode, bytes: Uint8Array): boolean {
  const data = dataOf(node);
  return bytes.length === node.size && bytes.every((byte, at) => byte === (data[at] ?? 0));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
