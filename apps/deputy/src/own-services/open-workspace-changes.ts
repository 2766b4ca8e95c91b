import { createIdSource, createSystemClock } from "@deputy/kit";
import { openDaemonLink } from "@deputy/client/daemon-link";
import type { Workspace } from "@deputy/workspace";
import { openRecordedWorkspace } from "../builtins/workspace-directory.ts";
import { attach, locateDaemon } from "../chat/attach.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";

/** How often it looks how far the daemon's import is. */
const PROGRESS_MS = 500;

export type WorkspaceChanges = Pick<Workspace, "import" | "commit" | "revert" | "undo">;

/**
 * For commands that change the workspace or the real folder, each recorded in the log: by the running daemon when there
 * is one, else here. Throws `home_in_use` when another program has the log.
 */
export async function openWorkspaceChanges(
  invocation: Invocation,
): Promise<WorkspaceChanges & AsyncDisposable> {
  const { homeDirectory, env, warn, signal } = invocation;
  const home = openHome(homeDirectory, warn);
  const clock = createSystemClock();
  if ((await attach(home, env)) === undefined) {
    const ids = createIdSource({ clock });
    const store = await openStore({ directory: home.directory, clock, ids, warn });
    const workspace = await openRecordedWorkspace(home, store.log, "terminal");
    return { ...workspace, [Symbol.asyncDispose]: store[Symbol.asyncDispose] };
  }
  const find = () => locateDaemon(home, env);
  const link = await openDaemonLink({ find, clock, tell: () => undefined }, signal);
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
    async [Symbol.asyncDispose]() {
      link[Symbol.dispose]();
    },
  };
}
