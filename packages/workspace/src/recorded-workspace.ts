import type { HashBytes } from "./change-set.ts";
import type { Workspace } from "./workspace.ts";

/** What happened to a workspace as a whole, for the log. */
export interface WorkspaceRecord {
  readonly what: "imported" | "changed" | "committed" | "reverted";
  /** The change set that it was done to; for an import and a change, the one that came of it. */
  readonly changeSet: string;
  readonly added: number;
  readonly modified: number;
  readonly deleted: number;
  /** Of the names of the files, and of what became of each. */
  readonly sha256: string;
  /** The real folder. */
  readonly folder?: string | undefined;
  /** Of a commit: the first of its files, by name. */
  readonly files?: { readonly path: string; readonly kind: Kind | "other" }[];
}

/** Nobody reads more names than that, and the log keeps them for good. */
const MOST_NAMED = 100;

type Kind = "added" | "modified" | "deleted";

/**
 * The same workspace, which reports every import, commit, revert, undo, resolved conflict and applied list of changes once it is done and before the
 * caller hears of it. What wrote or reverted nothing is not reported. If the process dies in between, the files are as
 * they were to be and the report is lost. Rejects as the workspace and `record` do.
 */
export function recordChanges<Kept extends Workspace>(
  workspace: Kept,
  deps: {
    readonly hash: HashBytes;
    readonly record: (happened: WorkspaceRecord, signal: AbortSignal) => Promise<void>;
  },
): Kept {
  const report = async (
    happened: Pick<WorkspaceRecord, "what" | "changeSet">,
    files: readonly { readonly path: string; readonly kind: Kind | "other" }[],
    signal: AbortSignal,
  ): Promise<void> => {
    const countOf = (kind: Kind): number => files.filter((file) => file.kind === kind).length;
    const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const listed = sorted.map(({ path, kind }) => [path, kind]);
    const named = sorted.slice(0, MOST_NAMED).map(({ path, kind }) => ({ path, kind }));
    await deps.record(
      {
        ...happened,
        added: countOf("added"),
        modified: countOf("modified"),
        deleted: countOf("deleted"),
        sha256: await deps.hash(new TextEncoder().encode(JSON.stringify(listed))),
        folder: await workspace.root(signal),
        ...(happened.what === "committed" && { files: named }),
      },
      signal,
    );
  };

  return {
    ...workspace,
    async import(order, signal) {
      const done = await workspace.import(order, signal);
      const [files, { id }] = [await workspace.walk("", signal), await workspace.status(signal)];
      const added = files.map((path) => ({ path, kind: "added" as const }));
      await report({ what: "imported", changeSet: id }, added, signal);
      return done;
    },
    async commit(reviewed, signal) {
      const { changes } = await workspace.status(signal);
      const outcome = await workspace.commit(reviewed, signal);
      if (outcome.kind === "conflicts" || outcome.files.length === 0) return outcome;
      const kindOf = new Map(changes.map(({ path, kind }) => [path, kind]));
      const files = outcome.files.map(({ path }) => ({ path, kind: kindOf.get(path) ?? ("other" as const) }));
      await report({ what: "committed", changeSet: reviewed.changeSet }, files, signal);
      return outcome;
    },
    async revert(paths, signal) {
      const { id, changes } = await workspace.status(signal);
      const reverted = await workspace.revert(paths, signal);
      const gone = new Set(reverted);
      const files = changes.filter(({ path }) => gone.has(path));
      if (files.length > 0) await report({ what: "reverted", changeSet: id }, files, signal);
      return reverted;
    },
    async undo(id, signal) {
      const undone = await workspace.undo(id, signal);
      if (undone.files.length === 0) return undone;
      const { id: changeSet } = await workspace.status(signal);
      await report({ what: "reverted", changeSet }, undone.files, signal);
      return undone;
    },
    async apply(given, signal) {
      const applied = await workspace.apply(given, signal);
      if (applied.files.length === 0) return applied;
      const { id } = await workspace.status(signal);
      await report({ what: "changed", changeSet: id }, applied.files, signal);
      return applied;
    },
    async resolve(path, content, signal) {
      await workspace.resolve(path, content, signal);
      const { id, changes } = await workspace.status(signal);
      const files = changes.filter((change) => change.path === path);
      await report({ what: "changed", changeSet: id }, files, signal);
    },
  };
}
