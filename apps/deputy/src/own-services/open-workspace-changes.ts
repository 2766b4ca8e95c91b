import { createSystemClock } from "@deputy/kit";
import type { Workspace } from "@deputy/workspace";
import { openNotedWorkspace, openRecordedWorkspace } from "../builtins/workspace-directory.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { createLogDoor, type LogDoor } from "./log-door.ts";

/** How often it looks how far the daemon's import is. */
const PROGRESS_MS = 500;

export interface WorkspaceChanges extends Pick<Workspace, "import" | "commit" | "revert" | "undo" | "apply"> {
  /** Ends a conflict, as `Workspace.resolve`. */
  resolve(path: string, how: Resolution, signal: AbortSignal): Promise<void>;
}

export type Resolution =
  | { readonly take: "ours" | "theirs" }
  | { readonly take: "text"; readonly text: string };

/**
 * For commands that change the workspace or the real folder, each recorded in the log: by the running daemon when there
 * is one, else here. Throws `home_in_use` when another program has the log.
 */
export async function openWorkspaceChanges(
  invocation: Invocation,
): Promise<WorkspaceChanges & AsyncDisposable> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const door = createLogDoor(invocation, home);
  return { ...(await changesThrough(home, door)), [Symbol.asyncDispose]: () => door.release() };
}

/** The same over a way to the log that somebody else opened. */
export async function changesThrough(
  home: Pick<Home, "directory" | "config">,
  door: Pick<LogDoor, "open">,
): Promise<WorkspaceChanges> {
  const opened = await door.open();
  if (opened.kind === "own") {
    const workspace = await openRecordedWorkspace(home, opened.log, "terminal");
    return {
      ...workspace,
      async resolve(path, how, until) {
        const content = how.take === "text" ? how.text : (await workspace.sides(path, until))[how.take];
        await workspace.resolve(path, content ?? null, until);
      },
    };
  }
  const { link } = opened;
  const clock = createSystemClock();
  const given = (paths: readonly string[] | "all") => (paths === "all" ? {} : { paths: [...paths] });
  return {
    async import({ root, exclude, uncommitted, onProgress }, until) {
      const done = new AbortController();
      const order = {
        ...(root !== undefined && { folder: root }),
        ...(exclude !== undefined && { exclude: [...exclude] }),
        discard: uncommitted === "discard",
      };
      const imported = link.call("workspace.import", order, "once", until).finally(() => done.abort());
      const watch = async (): Promise<void> => {
        for (;;) {
          await clock.sleep(PROGRESS_MS, done.signal);
          const { importing } = await link.call("workspace.progress", {}, "safe_to_repeat", done.signal);
          if (importing !== null) onProgress?.(importing.done, importing.total);
        }
      };
      // That it is not known how far it is stops nothing.
      const watched = watch().catch(() => undefined);
      const { folder, ...report } = await imported;
      await watched;
      return { root: folder, ...report };
    },
    async commit({ changeSet, paths }, until) {
      const order = { changeSet, ...given(paths) };
      const { outcome, files, conflicts } = await link.call("workspace.commit", order, "once", until);
      return outcome === "committed" ? { kind: "committed", files } : { kind: "conflicts", conflicts };
    },
    revert: async (paths, until) => (await link.call("workspace.revert", given(paths), "once", until)).paths,
    async undo(id, until) {
      const order = id === "last" ? {} : { snapshot: id };
      const { files } = await link.call("workspace.undo", order, "once", until);
      return { id: id === "last" ? undefined : id, files };
    },
    async resolve(path, how, until) {
      await link.call("workspace.resolve", { path, ...how }, "once", until);
    },
    async apply(changes, until) {
      // The files are on this machine's disk; what was done to them is noted by who has the log.
      const own = await openNotedWorkspace(home, async ({ added, modified, deleted, sha256 }) => {
        await link.call("workspace.applied", { added, modified, deleted, sha256 }, "once", until);
      });
      return await own.apply(changes, until);
    },
  };
}
