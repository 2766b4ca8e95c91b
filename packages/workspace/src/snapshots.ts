import type { Base, FileFacts } from "./base.ts";
import { type Change, type Examined, type HashBytes, isSame } from "./change-set.ts";
import type { Shadow, ShadowStore } from "./shadow-store.ts";
import type { SnapshotInfo, Undone } from "./workspace.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** So many are kept, and then the oldest goes. Their contents stay until the next import. */
const MOST_SNAPSHOTS = 50;
/** Names of snapshots that an undo made of what it took back. */
const UNDONE = "undone:";

/** Files that differed from the base of then; whatever is not named was as the base is. Null: there was none. */
interface Snapshot {
  readonly id: string;
  readonly name: string;
  readonly atMs: number;
  readonly files: ReadonlyMap<string, FileFacts | null>;
}

/** The files as they were at some moments of one import. All methods need the lock of the store. */
export interface Snapshots {
  /** Does nothing if there is one of this name. */
  take(name: string, signal: AbortSignal): Promise<void>;
  list(signal: AbortSignal): Promise<readonly SnapshotInfo[]>;
  undo(id: string, signal: AbortSignal): Promise<Undone>;
  /** Saves another base, and what that changes for snapshots: theirs is the base of before. */
  saveBase(before: Base, after: Base, signal: AbortSignal): Promise<void>;
}

export function createSnapshots(deps: {
  readonly store: ShadowStore;
  readonly hash: HashBytes;
  readonly now: () => number;
  readonly maxBytes: number;
  readonly look: (shadow: Shadow, signal: AbortSignal) => Promise<Examined>;
}): Snapshots {
  const { store } = deps;
  const load = async (signal: AbortSignal): Promise<readonly Snapshot[]> =>
    parse(await store.loadSnapshots(signal));
  const save = async (all: readonly Snapshot[], signal: AbortSignal): Promise<void> =>
    await store.saveSnapshots(format(all.slice(-MOST_SNAPSHOTS)), signal);

  /** What differs from the base, with its content kept. */
  const picture = async (
    { tree }: Shadow,
    changes: readonly Change[],
    signal: AbortSignal,
  ): Promise<Map<string, FileFacts | null>> => {
    const files = new Map<string, FileFacts | null>();
    for (const change of changes) {
      if (change.kind === "deleted") files.set(change.path, null);
      else {
        const bytes = await tree.read(change.path, deps.maxBytes, signal);
        const sha256 = await deps.hash(bytes);
        await store.keepContent(sha256, bytes, signal);
        const { executable } = change.after;
        files.set(change.path, { sha256, size: bytes.length, executable });
      }
    }
    return files;
  };
  const add = async (
    all: readonly Snapshot[],
    name: string,
    files: Snapshot["files"],
    signal: AbortSignal,
  ): Promise<void> => {
    const atMs = deps.now();
    const told = JSON.stringify([name, atMs, all.length]);
    const id = (await deps.hash(new TextEncoder().encode(told))).slice(0, 12);
    await save([...all, { id, name, atMs, files }], signal);
  };

  return {
    async take(name, signal) {
      const all = await load(signal);
      if (all.some((one) => one.name === name)) return;
      const shadow = await store.load(signal);
      const { changes } = await deps.look(shadow, signal);
      await add(all, name, await picture(shadow, changes, signal), signal);
    },

    async list(signal) {
      const all = await load(signal);
      const { base, changes } = await lookNow(signal);
      return all.toReversed().map((one) => ({
        id: one.id,
        name: one.name,
        atMs: one.atMs,
        files: differences(one, base, changes).map(({ path, kind }) => ({ path, kind })),
      }));
    },

    async undo(id, signal) {
      const all = await load(signal);
      const { shadow, base, changes } = await lookNow(signal);
      const wanted =
        id === "last"
          ? upToLastUndo(all).findLast(
              (one) => !one.name.startsWith(UNDONE) && differences(one, base, changes).length > 0,
            )
          : all.find((one) => one.id === id);
      if (wanted === undefined) {
        if (id === "last") return { id: undefined, files: [] };
        throw new WorkspaceError("unknown_snapshot", `There is no snapshot ${id} of this import`);
      }
      const steps = differences(wanted, base, changes);
      if (steps.length === 0) return { id: wanted.id, files: [] };
      await add(
        all,
        `${UNDONE}${wanted.id}:${String(deps.now())}`,
        await picture(shadow, changes, signal),
        signal,
      );
      for (const { path, kind } of steps) if (kind === "deleted") await shadow.tree.remove(path, signal);
      for (const { path, to } of steps) {
        if (to === null) continue;
        const bytes = await store.readContent(to.sha256, signal);
        if ((await shadow.tree.stat(path, signal)).kind === "other") await shadow.tree.remove(path, signal);
        await shadow.tree.write(path, bytes, { executable: to.executable }, signal);
      }
      return { id: wanted.id, files: steps.map(({ path, kind }) => ({ path, kind })) };
    },

    async saveBase(before, after, signal) {
      const all = await load(signal);
      if (all.length > 0) {
        const moved = new Map<string, FileFacts | null>();
        for (const path of new Set([...before.files.keys(), ...after.files.keys()])) {
          const [was, is] = [before.files.get(path), after.files.get(path)];
          if (was !== is && (was === undefined || is === undefined || !isSame(was, is)))
            moved.set(path, was ?? null);
        }
        if (moved.size > 0)
          await save(
            all.map(({ id, name, atMs, files }) => ({
              id,
              name,
              atMs,
              files: new Map([...moved, ...files]),
            })),
            signal,
          );
      }
      await store.saveBase(after, signal);
    },
  };

  async function lookNow(signal: AbortSignal) {
    const shadow = await store.load(signal);
    const { changes } = await deps.look(shadow, signal);
    return { shadow, base: shadow.base, changes };
  }
}

/** After an undo, the next goes further back, and not to what that one took back. */
function upToLastUndo(all: readonly Snapshot[]): readonly Snapshot[] {
  const [, led] = all.at(-1)?.name.startsWith(UNDONE) === true ? (all.at(-1)?.name.split(":") ?? []) : [];
  return led === undefined ? all : all.slice(0, all.findIndex(({ id }) => id === led) + 1);
}

interface Step {
  readonly path: string;
  /** What going back does to it. */
  readonly kind: "added" | "modified" | "deleted";
  readonly to: FileFacts | null;
}

function differences({ files }: Snapshot, base: Base, changes: readonly Change[]): readonly Step[] {
  const now = new Map(
    changes.map((change) => [change.path, change.kind === "deleted" ? null : change.after]),
  );
  const steps: Step[] = [];
  for (const path of new Set([...files.keys(), ...now.keys()])) {
    const inBase = base.files.get(path) ?? null;
    const here = now.has(path) ? (now.get(path) ?? null) : inBase;
    const to = files.has(path) ? (files.get(path) ?? null) : inBase;
    if (here === null && to !== null) steps.push({ path, kind: "added", to });
    else if (here !== null && to === null) steps.push({ path, kind: "deleted", to });
    else if (here !== null && to !== null && !isSame(here, to)) steps.push({ path, kind: "modified", to });
  }
  return steps.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function format(all: readonly Snapshot[]): string {
  const rows = all.map(({ id, name, atMs, files }) =>
    JSON.stringify([
      id,
      name,
      atMs,
      [...files].map(([path, facts]) => [
        path,
        facts === null ? null : [facts.sha256, facts.size, facts.executable],
      ]),
    ]),
  );
  return `${rows.join("\n")}\n`;
}

type Row = [string, string, number, [string, [string, number, boolean] | null][]];

/** What cannot be read is none: a snapshot is a help, and no reason to refuse work. */
function parse(text: string | undefined): readonly Snapshot[] {
  try {
    return (text ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [id, name, atMs, files] = JSON.parse(line) as Row;
        const read = files.map(([path, facts]): [string, FileFacts | null] => [
          path,
          facts === null ? null : { sha256: facts[0], size: facts[1], executable: facts[2] },
        ]);
        return { id, name, atMs, files: new Map(read) };
      });
  } catch {
    return [];
  }
}
