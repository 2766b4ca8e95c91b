import { fail } from "./file-system-error.ts";
import type { DirectoryNode, Node, NodeMaker } from "./node.ts";

/** Links that one path may lead through, as Linux has it. */
const LINKS = 40;
const NAME_BYTES = 255;
const PATH_BYTES = 4096;

/** Where a path leads. */
export interface Resolved {
  /** The directory that has the name; `undefined` if the path ends in `.`, `..` or the start itself. */
  readonly parent: DirectoryNode | undefined;
  /** The last name; empty without a `parent`. */
  readonly name: string;
  readonly node: Node | undefined;
  /** The path ends in `/`: only a directory will do. */
  readonly wantsDirectory: boolean;
}

export interface Start {
  readonly directory: DirectoryNode;
  readonly root: DirectoryNode;
  /** A confined path that would leave `directory` is ENOTCAPABLE. */
  readonly bounds: "confined" | "free";
}

/**
 * Follows a path name by name. Everything but the last name must exist; links on the way are followed, a link at
 * the end only if `links` says so or a `/` stands behind it.
 *
 * Nothing else runs meanwhile, so a directory cannot be moved away under the walk: how many names deep the walk is
 * says all about whether `..` would leave the start.
 */
export function resolve(nodes: NodeMaker, start: Start, path: string, links: "follow" | "keep"): Resolved {
  checkPath(path);
  const wantsDirectory = path.endsWith("/");
  /** The names still to follow, the next one last. */
  const names = namesOf(path);
  let at = start.directory;
  let depth = 0;
  const toRoot = (): void => {
    if (start.bounds === "confined" && start.directory !== start.root) fail("ENOTCAPABLE");
    at = start.root;
    depth = 0;
  };
  if (path.startsWith("/")) toRoot();

  let found: Resolved = { parent: undefined, name: "", node: at, wantsDirectory };
  let followed = 0;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (found.node === undefined) fail("ENOENT");
    if (found.node.kind !== "directory") fail("ENOTDIR");
    at = found.node;
    if (name === ".") {
      found = { parent: undefined, name: "", node: at, wantsDirectory };
      continue;
    }
    if (name === "..") {
      if (start.bounds === "confined" && depth === 0 && at !== start.root) fail("ENOTCAPABLE");
      at = at.parent;
      depth = Math.max(0, depth - 1);
      found = { parent: undefined, name: "", node: at, wantsDirectory };
      continue;
    }
    checkName(name);
    const node = nodes.entriesOf(at).get(name)?.node;
    const last = names.length === 0;
    if (node?.kind === "symlink" && (!last || links === "follow" || wantsDirectory)) {
      followed += 1;
      if (followed > LINKS) fail("ELOOP");
      if (node.target === "") fail("ENOENT");
      if (node.target.startsWith("/")) toRoot();
      names.push(...namesOf(node.target));
      found = { parent: undefined, name: "", node: at, wantsDirectory };
      continue;
    }
    found = { parent: at, name, node, wantsDirectory };
    depth += 1;
  }
  return found;
}

/** The absolute path of a directory. */
export function pathOf(directory: DirectoryNode): string {
  const names: string[] = [];
  for (let at = directory; at.parent !== at; at = at.parent) names.push(at.name);
  return `/${names.reverse().join("/")}`;
}

/** In reverse, so that the next name is popped off the end. */
function namesOf(path: string): string[] {
  return path
    .split("/")
    .filter((name) => name !== "")
    .reverse();
}

function checkPath(path: string): void {
  if (path === "") fail("ENOENT");
  if (isLonger(path, PATH_BYTES)) fail("ENAMETOOLONG");
  if (path.includes("\0")) fail("EINVAL");
  if (!path.isWellFormed()) fail("EILSEQ");
}

function checkName(name: string): void {
  if (isLonger(name, NAME_BYTES)) fail("ENAMETOOLONG");
}

const encoder = new TextEncoder();

function isLonger(text: string, bytes: number): boolean {
  // A UTF-16 unit takes three bytes at most, so most names need no counting.
  return text.length > bytes || (text.length * 3 > bytes && byteLength(text) > bytes);
}

/** How many bytes a text has in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
