import type { Base, FileFacts } from "./base.ts";
import type { FileStat } from "./file-tree.ts";
import type { Shadow } from "./shadow-store.ts";
import { type Skipped, walkFiles } from "./walk.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";
import { foldName, isGitFolder } from "./workspace-path.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** How the workspace differs from its base. */
export interface ChangeSet {
  /** The id of exactly these changes; other changes have another id. */
  readonly id: string;
  /** Sorted by path. */
  readonly changes: readonly Change[];
  /** Files in the workspace that cannot be committed. */
  readonly skipped: readonly Skipped[];
}

export type Change =
  | { readonly kind: "added"; readonly path: string; readonly after: FileFacts }
  | {
      readonly kind: "modified";
      readonly path: string;
      readonly before: FileFacts;
      readonly after: FileFacts;
    }
  | { readonly kind: "deleted"; readonly path: string; readonly before: FileFacts };

export type HashBytes = (bytes: Uint8Array) => string | Promise<string>;

/**
 * A file that changed less than this time ago may change again without a new version, so its version is not
 * recorded.
 */
const YOUNG_MS = 50;

export interface Examined extends ChangeSet {
  /** Versions of unchanged files that were not known; `undefined` when there is nothing new. */
  readonly refreshed: Base | undefined;
}

/** Reads only files whose version has changed. */
export async function examine(
  { base, tree }: Shadow,
  deps: { readonly hash: HashBytes; readonly limits: WorkspaceLimits; readonly now: () => number },
  signal: AbortSignal,
): Promise<Examined> {
  const { files, skipped: notFiles } = await walkFiles(
    tree,
    "",
    { exclude: [], mostFiles: deps.limits.files },
    signal,
  );
  const skipped = [...notFiles];
  const changes: Change[] = [];
  const seen = new Map<string, string>();
  const present = new Set(files);
  const leftOut = new Set<string>();
  const excludedPart = createExclusion(base.exclude);
  for (const path of files) {
    const excluded = excludedPart(path);
    if (excluded !== undefined) {
      leftOut.add(excluded);
      continue;
    }
    const before = base.files.get(path);
    const stat = await tree.stat(path, signal);
    // It was removed or replaced since the walk; the next status shows it.
    if (stat.kind !== "file") continue;
    if (before !== undefined && before.seen === stat.version && before.executable === stat.executable)
      continue;
    if (stat.size > deps.limits.fileBytes) {
      skipped.push({ path, why: `it is larger than ${deps.limits.fileBytes} bytes` });
      continue;
    }
    const bytes = await tree.read(path, deps.limits.fileBytes, signal);
    const after: FileFacts = {
      sha256: await deps.hash(bytes),
      size: bytes.length,
      executable: stat.executable,
    };
    if (before === undefined) changes.push({ kind: "added", path, after });
    else if (!isSame(before, after)) changes.push({ kind: "modified", path, before, after });
    else if (isSettled(stat, deps.now())) seen.set(path, stat.version);
  }
  for (const path of leftOut)
    skipped.push({ path, why: "its name was left out when the folder was imported" });
  const unread = new Set(skipped.map(({ path }) => path));
  for (const [path, before] of base.files) {
    if (present.has(path)) continue;
    if (unread.has(path) || excludedPart(path) !== undefined) continue;
    changes.push({ kind: "deleted", path, before });
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { id: await idOf(changes, deps.hash), changes, skipped, refreshed: withSeen(base, seen) };
}

export function isSame(a: FileFacts, b: FileFacts): boolean {
  return a.sha256 === b.sha256 && a.executable === b.executable;
}

/** The changes at or under the paths. Throws `unknown_change` for a path without changes. */
export function changesAt(changes: readonly Change[], paths: readonly string[] | "all"): readonly Change[] {
  if (paths === "all") return changes;
  const isAt = (change: Change, path: string): boolean =>
    path === "" || change.path === path || change.path.startsWith(`${path}/`);
  const unknown = paths.find((path) => !changes.some((change) => isAt(change, path)));
  if (unknown !== undefined)
    throw new WorkspaceError("unknown_change", `Nothing changed at ${unknown || "."}`);
  return changes.filter((change) => paths.some((path) => isAt(change, path)));
}

/**
 * The path up to a name that the import left out. A commit must not bring in what the import left out, nor
 * the same under a name that another file system treats as equal. `.git` under another name is never
 * intended.
 */
function createExclusion(exclude: readonly string[]): (path: string) => string | undefined {
  const folded = new Set(exclude.map(foldName));
  const isExcluded = (name: string): boolean =>
    folded.has(foldName(name)) || (isGitFolder(name) && (name !== ".git" || folded.has(".git")));
  return (path) => {
    const names = path.split("/");
    const at = names.findIndex(isExcluded);
    return at === -1 ? undefined : names.slice(0, at + 1).join("/");
  };
}

function isSettled({ changedMs }: FileStat, nowMs: number): boolean {
  return nowMs - changedMs > YOUNG_MS;
}

function withSeen(base: Base, seen: ReadonlyMap<string, string>): Base | undefined {
  if (seen.size === 0) return undefined;
  const files = new Map(base.files);
  for (const [path, version] of seen) {
    const file = files.get(path);
    if (file !== undefined) files.set(path, { ...file, seen: version });
  }
  return { ...base, files };
}

async function idOf(changes: readonly Change[], hash: HashBytes): Promise<string> {
  const told = changes.map((change) => [
    change.kind,
    change.path,
    change.kind === "added" ? null : [change.before.sha256, change.before.executable],
    change.kind === "deleted" ? null : [change.after.sha256, change.after.executable],
  ]);
  return (await hash(new TextEncoder().encode(JSON.stringify(told)))).slice(0, 32);
}
