import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import {
  type ContainedResult,
  type ContainedRun,
  type ContainedStreams,
  exitCodeOf,
} from "@deputy/contained-shell";
import { makeVisible } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import { AppError } from "../../app-error.ts";
import type { Skipped } from "@deputy/workspace";
import { outerShell } from "../../builtins/command-place.ts";
import { openWorkspace } from "../../builtins/workspace-directory.ts";
import { openAuditedFetch } from "../../bundles/audited-fetch.ts";
import { fetchForScripts } from "../../bundles/ways-out.ts";
import { openHomePrograms } from "../../bundles/home-bundles.ts";
import { openWorkspaceRepository } from "../../builtins/workspace-repository.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { createLogDoor } from "../../own-services/log-door.ts";
import { changesThrough } from "../../own-services/open-workspace-changes.ts";
import { runTyped } from "../../shell/run-typed.ts";
import { commitChanges, importDirectory } from "./workspace.ts";

export interface ShellOptions {
  readonly command?: string;
  readonly import?: string;
  readonly commit?: true;
  readonly yes?: true;
}

/** `deputy sh`: exits as the script does. */
export async function runShell(
  invocation: Invocation,
  file: string | undefined,
  args: readonly string[],
  options: ShellOptions,
): Promise<number> {
  const { signal, stdin, output } = invocation;
  if (output.mode === "json") throw new AppError("usage", "sh has no --json: its output is the script's own");
  if (options.import !== undefined) await importDirectory(invocation, options.import, {});
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const workspace = await openWorkspace(home);
  const { openContainedShell } = await import("@deputy/contained-shell/node");
  const { hosts } = home.config.tools.shell;
  const make = (audit: NetAudit) => fetchForScripts(hosts, audit);
  await using door = createLogDoor(invocation, home);
  await using net =
    hosts.length === 0 ? undefined : openAuditedFetch(invocation, home, door, { name: "scripts", make });
  await using shell = openContainedShell({
    folder: workspace.treeFolder,
    bundles: await openHomePrograms(home, invocation.warn),
    repository: await openWorkspaceRepository(home),
    outer: outerShell(home, () => undefined),
    ...(net !== undefined && { fetch: net.fetch }),
  });
  const given = await readGiven(file, args, options.command, stdin);
  const apply = async (changes: ContainedResult["changes"]): Promise<readonly Skipped[]> => {
    if (changes.length === 0) return [];
    return (await (await changesThrough(home, door)).apply(changes, signal)).leftOut;
  };
  const keep = async (done: ContainedResult): Promise<void> => {
    // A log that was opened for a request is not kept from others while somebody thinks.
    let leftOut: readonly Skipped[];
    try {
      leftOut = await apply(done.changes);
    } finally {
      await net?.[Symbol.asyncDispose]();
      await door.release();
    }
    for (const { path, why } of [...done.leftOut, ...leftOut])
      invocation.announce(`not kept: ${makeVisible(path)} (${why})`);
    if (done.end.kind === "limit") invocation.announce(`${done.end.message} Nothing that it did is kept.`);
  };
  const exitCode =
    given === undefined
      ? await runTyped({ invocation, home, shell, workspace, keep })
      : await runOnce(given.run, streamsOf(given.input === "rest" ? stdin : undefined));
  if (options.commit === undefined) return exitCode;
  if (exitCode !== 0) {
    invocation.announce("The script failed, so nothing is committed.");
    return exitCode;
  }
  return await commitChanges(invocation, [], options.yes === undefined ? {} : { yes: true });

  async function runOnce(run: ContainedRun, streams: ContainedStreams): Promise<number> {
    const done = await shell.run(run, streams, signal);
    await keep(done);
    return exitCodeOf(done);
  }
}

/** What to run; undefined: what a person types. A script that came by the input leaves none to its commands. */
async function readGiven(
  file: string | undefined,
  args: readonly string[],
  command: string | undefined,
  stdin: Invocation["stdin"],
): Promise<{ readonly run: ContainedRun; readonly input: "rest" | "none" } | undefined> {
  if (command !== undefined) return { run: { script: command, name: file ?? "bash", args }, input: "rest" };
  if (file !== undefined) return { run: { script: readScript(file), name: file, args }, input: "rest" };
  if ("isTTY" in stdin && stdin.isTTY === true) return undefined;
  return { run: { script: (await buffer(stdin)).toString("utf8") }, input: "none" };
}

function readScript(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new AppError("usage", `${makeVisible(file)} cannot be read`, { cause });
  }
}

/** The streams of this process. The input is read only when a command asks for it. */
function streamsOf(stdin: Invocation["stdin"] | undefined): ContainedStreams {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return {
    async input() {
      if (stdin === undefined) return new Uint8Array(0);
      chunks ??= stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
      const next = await chunks.next();
      return next.done === true ? new Uint8Array(0) : new Uint8Array(next.value);
    },
    output: (stream, bytes) => void (stream === 1 ? process.stdout : process.stderr).write(bytes),
  };
}
