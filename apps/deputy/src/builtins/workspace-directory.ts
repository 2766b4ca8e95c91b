import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { EventLog } from "@deputy/protocol";
import type { Home } from "../home.ts";
import type { WorkspaceRecord } from "@deputy/workspace";
import type { LocalWorkspace } from "@deputy/workspace/node";

/** The folder in which the workspace is kept. */
export function workspaceDirectoryOf(home: Pick<Home, "directory" | "config">): string {
  return locateDirectory(home.directory, home.config.security.workspace);
}

/** A directory that a setting names: relative paths are from the home. */
export function locateDirectory(homeDirectory: string, path: string): string {
  return path === "~" || path.startsWith("~/")
    ? join(homedir(), path.slice(2))
    : resolve(homeDirectory, path);
}

/** The workspace of a home, to be looked at: nothing that is done to it is recorded. */
export async function openWorkspace(home: Pick<Home, "directory" | "config">): Promise<LocalWorkspace> {
  const { openLocalWorkspace } = await import("@deputy/workspace/node");
  return openLocalWorkspace({
    directory: workspaceDirectoryOf(home),
    apart: [home.directory],
    now: Date.now,
  });
}

/** The same, for those who change it: imports, commits and reverts are in the log before they are acknowledged. */
export async function openRecordedWorkspace(
  home: Pick<Home, "directory" | "config">,
  log: Pick<EventLog, "append">,
  by: "agent" | "gateway" | "terminal",
): Promise<LocalWorkspace> {
  return await openNotedWorkspace(home, async ({ what, folder, ...counted }) => {
    const data = { ...counted, ...(folder !== undefined && { folder }), by };
    await log.append("system", [{ type: `workspace.${what}`, data }]);
  });
}

/** The same, where somebody else writes down what is done. */
export async function openNotedWorkspace(
  home: Pick<Home, "directory" | "config">,
  record: (happened: WorkspaceRecord) => Promise<void>,
): Promise<LocalWorkspace> {
  const { recordChanges } = await import("@deputy/workspace");
  const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  return recordChanges(await openWorkspace(home), { hash, record });
}

/** Notes in a log that a program of the owner has changed the files, as they are now. */
export async function noteApplied(
  home: Pick<Home, "directory" | "config">,
  log: Pick<EventLog, "append">,
  counted: Pick<WorkspaceRecord, "added" | "modified" | "deleted" | "sha256">,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await openWorkspace(home);
  const [{ id: changeSet }, folder] = [await workspace.status(signal), await workspace.root(signal)];
  const data = { ...counted, changeSet, ...(folder !== undefined && { folder }), by: "terminal" };
  await log.append("system", [{ type: "workspace.changed", data }]);
}
