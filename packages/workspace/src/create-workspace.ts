import { applyChanges } from "./apply-changes.ts";
import { createKeyedLane } from "@deputy/kit";
import type { Base, BaseFile } from "./base.ts";
import { type ChangeSet, changesAt, examine, type Examined, type HashBytes } from "./change-set.ts";
import { type CommitOutcome, planStep, type Step } from "./commit-plan.ts";
import { describeChange } from "./file-diff.ts";
import type { FileTree } from "./file-tree.ts";
import { importFolder } from "./import-folder.ts";
import type { RealFolder, Shadow, ShadowStore } from "./shadow-store.ts";
import { createSnapshots } from "./snapshots.ts";
import { encodeText, requireText } from "./text.ts";
import { walkFiles } from "./walk.ts";
import { DEFAULT_EXCLUDE, type Workspace } from "./workspace.ts";
import { WorkspaceError } from "./workspace-error.ts";
import { DEFAULT_WORKSPACE_LIMITS, type WorkspaceLimits } from "./workspace-limits.ts";
import { readChangePath, readFilePath, readPath } from "./workspace-path.ts";

const MOST_WAITING = 1_000;
/** Files that a commit writes at the same time: a disk syncs several nearly as quickly as one. */
const AT_ONCE = 16;

/** A workspace over any store. Several workspaces can share a store, in one process or in many. */
export function createWorkspace(deps: {
  readonly store: ShadowStore;
  readonly hash: HashBytes;
  readonly now: () => number;
  readonly limits?: WorkspaceLimits;
}): Workspace {
  const { store, hash } = deps;
  const limits = deps.limits ?? DEFAULT_WORKSPACE_LIMITS;
  const lane = createKeyedLane<"base">({ maxWaiting: MOST_WAITING });

  /** Operations that change or need the base run one after the other, in all processes. */
  const alone = <T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> =>
    lane.run("base", signal, async () => {
      await using _held = await store.lock(signal);
      return await job();
    });
  const look = async (shadow: Shadow, signal: AbortSignal): Promise<Examined> =>
    await examine(shadow, { hash, limits, now: deps.now }, signal);
  const snapshots = createSnapshots({ store, hash, now: deps.now, maxBytes: limits.fileBytes, look });
  const treeOf = async (signal: AbortSignal): Promise<FileTree> => (await store.load(signal)).tree;
  const realOf = async (base: Base, signal: AbortSignal): Promise<RealFolder> => {
    if (base.root !== undefined) return await store.openReal(base.root, signal);
    throw new WorkspaceError("no_real_folder", "The workspace is not a copy of any folder", {
      hint: "`deputy workspace import DIR` makes it one.",
    });
  };
  const read = async (path: string, signal: AbortSignal): Promise<Uint8Array> =>
    await (await treeOf(signal)).read(readFilePath(path), limits.fileBytes, signal);

  const perform = async (
    step: Exclude<Step, { kind: "conflict" }>,
    real: FileTree,
    tree: FileTree,
    signal: AbortSignal,
  ): Promise<BaseFile | undefined> => {
    const { path } = step;
    if (step.kind === "remove") await real.remove(path, signal);
    if (step.kind === "remove" || step.after === undefined) return undefined;
    const { bytes, facts } = step.after;
    const { executable } = facts;
    if (step.kind === "write") await real.write(path, bytes, { executable }, signal);
    if (step.kind === "write" && step.how === "merged") await tree.write(path, bytes, { executable }, signal);
    await store.keepContent(facts.sha256, bytes, signal);
    return facts;
  };

  const commit = async (
    reviewed: Parameters<Workspace["commit"]>[0],
    signal: AbortSignal,
  ): Promise<CommitOutcome> => {
    const shadow = await store.load(signal);
    const { base, tree } = shadow;
    const { tree: real } = await realOf(base, signal);
    const { id, changes } = await look(shadow, signal);
    if (id !== reviewed.changeSet)
      throw new WorkspaceError("stale_change_set", "The changes are no longer those that were reviewed", {
        hint: "Review them again, then commit.",
      });
    const chosen = changesAt(changes, pathsOf(reviewed.paths));
    const plan = {
      real,
      hash,
      maxBytes: limits.fileBytes,
      removed: new Set(chosen.filter(({ kind }) => kind === "deleted").map(({ path }) => path)),
      readOurs: (path: string) => tree.read(path, limits.fileBytes, signal),
      readBase: (sha256: string) => store.readContent(sha256, signal),
    };
    const steps: Step[] = [];
    for (const change of chosen) steps.push(await planStep(change, plan, signal));
    const conflicts = steps.filter((step) => step.kind === "conflict");
    if (conflicts.length > 0)
      return { kind: "conflicts", conflicts: conflicts.map(({ path, why }) => ({ path, why })) };

    const files = new Map(base.files);
    const done: (CommitOutcome & { kind: "committed" })["files"][number][] = [];
    const carryOut = async (step: Step): Promise<void> => {
      if (step.kind === "conflict") return;
      const after = await perform(step, real, tree, signal);
      if (after === undefined) files.delete(step.path);
      else files.set(step.path, after);
      const how = step.kind === "remove" ? "removed" : step.kind === "keep" ? "already" : step.how;
      done.push({ path: step.path, how });
    };
    try {
      // Removals come first, one by one: they make room for a folder of the same name.
      for (const step of steps) if (step.kind === "remove") await carryOut(step);
      await eachOf(
        steps.filter(({ kind }) => kind !== "remove"),
        carryOut,
      );
    } finally {
      // What reached the real folder becomes part of the base, even if the rest failed.
      if (done.length > 0) await snapshots.saveBase(base, { ...base, files }, new AbortController().signal);
    }
    return { kind: "committed", files: done.sort((a, b) => (a.path < b.path ? -1 : 1)) };
  };

  const readIfFile = async (
    tree: FileTree,
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly executable: boolean } | undefined> => {
    const found = await tree.stat(path, signal);
    if (found.kind !== "file") return undefined;
    return { bytes: await tree.read(path, limits.fileBytes, signal), executable: found.executable };
  };

  /** The file as it is in the real folder now, or as it was imported if that cannot be told. */
  const restore = async (
    path: string,
    shadow: Shadow,
    real: RealFolder | undefined,
    signal: AbortSignal,
  ): Promise<BaseFile | undefined> => {
    const { tree, base } = shadow;
    const before = base.files.get(path);
    const now = before === undefined ? undefined : await real?.tree.stat(path, signal);
    if (before === undefined || now?.kind === "missing") {
      await tree.remove(path, signal);
      return undefined;
    }
    const isReal = real !== undefined && now?.kind === "file" && now.size <= limits.fileBytes;
    const bytes = isReal
      ? await real.tree.read(path, limits.fileBytes, signal)
      : await store.readContent(before.sha256, signal);
    const executable = isReal ? now.executable : before.executable;
    const sha256 = await hash(bytes);
    await store.keepContent(sha256, bytes, signal);
    await clearWay(tree, path, signal);
    await tree.write(path, bytes, { executable }, signal);
    return { sha256, size: bytes.length, executable };
  };

  return {
    read,
    readText: async (path, signal) => requireText(readFilePath(path), await read(path, signal)),

    async write(path, content, signal) {
      const at = readChangePath(path);
      const bytes = typeof content === "string" ? encodeText(content) : content;
      if (bytes.length > limits.fileBytes)
        throw new WorkspaceError("file_too_large", `${at} would have more than ${limits.fileBytes} bytes`);
      const tree = await treeOf(signal);
      const before = await tree.stat(at, signal);
      if (before.kind === "folder") throw new WorkspaceError("not_a_file", `${at} is a folder`);
      await tree.write(at, bytes, {}, signal);
      return before.kind === "missing" ? "created" : "replaced";
    },

    apply: async (changes, signal) => await applyChanges(await treeOf(signal), changes, limits, signal),

    async remove(path, signal) {
      const at = readChangePath(path);
      const tree = await treeOf(signal);
      const { kind } = await tree.stat(at, signal);
      if (kind === "missing") throw new WorkspaceError("not_found", `There is no ${at}`);
      if (kind === "folder") throw new WorkspaceError("not_a_file", `${at} is a folder`);
      await tree.remove(at, signal);
    },

    list: async (path, signal) => await (await treeOf(signal)).list(readPath(path), signal),
    async walk(path, signal) {
      const options = { exclude: [], mostFiles: limits.files };
      return (await walkFiles(await treeOf(signal), readPath(path), options, signal)).files;
    },
    async stat(path, signal) {
      const found = await (await treeOf(signal)).stat(readPath(path), signal);
      if (found.kind !== "file") return found;
      return { kind: "file", size: found.size, executable: found.executable };
    },

    status: (signal) =>
      alone(signal, async (): Promise<ChangeSet> => {
        const { refreshed, ...changeSet } = await look(await store.load(signal), signal);
        if (refreshed !== undefined) await store.saveBase(refreshed, signal);
        return changeSet;
      }),
    diff: (paths, signal) =>
      alone(signal, async () => {
        const shadow = await store.load(signal);
        const { refreshed: _, ...changeSet } = await look(shadow, signal);
        const diffs = [];
        for (const change of changesAt(changeSet.changes, pathsOf(paths))) {
          const before =
            change.kind === "added" ? undefined : await store.readContent(change.before.sha256, signal);
          const after =
            change.kind === "deleted"
              ? undefined
              : await shadow.tree.read(change.path, limits.fileBytes, signal);
          diffs.push(describeChange(change, before, after));
        }
        return { ...changeSet, diffs };
      }),
    commit: (reviewed, signal) => alone(signal, async () => await commit(reviewed, signal)),
    revert: (paths, signal) =>
      alone(signal, async () => {
        const shadow = await store.load(signal);
        const { changes } = await look(shadow, signal);
        const chosen = changesAt(changes, pathsOf(paths));
        const { root } = shadow.base;
        const real = root === undefined ? undefined : await store.openReal(root, signal);
        const files = new Map(shadow.base.files);
        // Added files are removed first, because they may stand where a folder is needed.
        const inOrder = chosen.toSorted((a, b) => Number(a.kind !== "added") - Number(b.kind !== "added"));
        for (const { path } of inOrder) {
          const file = await restore(path, shadow, real, signal);
          if (file === undefined) files.delete(path);
          else files.set(path, file);
        }
        await snapshots.saveBase(shadow.base, { ...shadow.base, files }, signal);
        return chosen.map(({ path }) => path);
      }),
    sides: (path, signal) =>
      alone(signal, async () => {
        const at = readChangePath(path);
        const { base, tree } = await store.load(signal);
        const { tree: real } = await realOf(base, signal);
        const before = base.files.get(at);
        return {
          base: before === undefined ? undefined : await store.readContent(before.sha256, signal),
          ours: (await readIfFile(tree, at, signal))?.bytes,
          theirs: (await readIfFile(real, at, signal))?.bytes,
        };
      }),
    resolve: (path, content, signal) =>
      alone(signal, async () => {
        const at = readChangePath(path);
        const { base, tree } = await store.load(signal);
        const { tree: real } = await realOf(base, signal);
        const theirs = await readIfFile(real, at, signal);
        const files = new Map(base.files);
        if (theirs === undefined) files.delete(at);
        else {
          const sha256 = await hash(theirs.bytes);
          await store.keepContent(sha256, theirs.bytes, signal);
          files.set(at, { sha256, size: theirs.bytes.length, executable: theirs.executable });
        }
        const here = await tree.stat(at, signal);
        if (content === null) {
          if (here.kind === "file") await tree.remove(at, signal);
        } else {
          const bytes = typeof content === "string" ? encodeText(content) : content;
          const executable = here.kind === "file" ? here.executable : theirs?.executable === true;
          await tree.write(at, bytes, { executable }, signal);
        }
        await snapshots.saveBase(base, { ...base, files }, signal);
      }),
    snapshot: (name, signal) => alone(signal, async () => await snapshots.take(name, signal)),
    snapshots: (signal) => alone(signal, async () => await snapshots.list(signal)),
    undo: (id, signal) => alone(signal, async () => await snapshots.undo(id, signal)),
    import: (order, signal) =>
      alone(signal, async () => {
        const shadow = await store.load(signal);
        const root = order.root ?? (await realOf(shadow.base, signal)).root;
        if (order.uncommitted === "keep" && (await look(shadow, signal)).changes.length > 0)
          throw new WorkspaceError(
            "uncommitted_changes",
            "The workspace has changes that are not committed",
            {
              hint: "Commit or revert them first, or import with --discard.",
            },
          );
        const before = shadow.base.root === undefined ? DEFAULT_EXCLUDE : shadow.base.exclude;
        const exclude = order.exclude ?? before;
        return await importFolder(
          { root, exclude, onProgress: order.onProgress },
          { store, hash, limits },
          signal,
        );
      }),
    root: async (signal) => (await store.load(signal)).base.root,
  };
}

function pathsOf(paths: readonly string[] | "all"): readonly string[] | "all" {
  return paths === "all" ? paths : paths.map(readPath);
}

/** A link or an empty folder in the place of a file. */
async function clearWay(tree: FileTree, path: string, signal: AbortSignal): Promise<void> {
  const { kind } = await tree.stat(path, signal);
  if (kind === "other") await tree.remove(path, signal);
}

/** Several at a time. After a failure it begins no further one, and rejects when those that had begun are done. */
async function eachOf<T>(all: readonly T[], job: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all].reverse();
  let failed = false;
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined && !failed; one = waiting.pop()) {
      try {
        await job(one);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
