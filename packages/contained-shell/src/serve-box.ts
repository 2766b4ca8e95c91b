import { BUNDLE_FILES } from "@deputy/bundles";
import type { CoreUtils } from "@deputy/core-utils";
import type { createGit, HostAnswer, HostNetwork } from "@deputy/host-commands";
import { createCurl } from "@deputy/host-commands/curl";
import { GIT_FOLDER } from "@deputy/host-commands/git-files";
import {
  type CommandTable,
  createShell,
  ShellError,
  type ShellRunner,
  type ShellSession,
} from "@deputy/shell";
import { type BaseTree, createMemoryBase, createMemoryFileSystem, type FileSystem } from "@deputy/vfs";
import { createSystemWasiClock } from "@deputy/wasi";
import type { Skipped, TreeChange } from "@deputy/workspace";
import type { FromBox, ToBox } from "./box-messages.ts";
import { type Brought, createBundledCommands } from "./bundled-commands.ts";
import type { ContainedLimits } from "./contained-shell.ts";
import { createCoreCommands } from "./core-commands.ts";

export interface BoxPort {
  readonly post: (message: FromBox) => void;
  readonly listen: (receive: (message: ToBox) => void) => void;
}

const PROGRAM_STEPS = 500_000_000;

/** The environment that every script begins with. */
const ENVIRONMENT = {
  HOME: "/home/user",
  LANG: "C.UTF-8",
  LOGNAME: "user",
  PATH: "/usr/bin:/bin",
  TERM: "dumb",
  TMPDIR: "/tmp",
  USER: "user",
};

/** The inside of a thread that runs scripts: one at a time, each over the files as they are when it begins. */
export function serveBox(
  port: BoxPort,
  deps: {
    readonly tools: CoreUtils;
    /** The files of the workspace at that path. */
    readonly openBase: (folder: string) => BaseTree;
    readonly random: (length: number) => Uint8Array;
    /** Undefined where its library does not run, as in a browser: then there is no `git`. */
    readonly git: typeof createGit | undefined;
  },
): void {
  const clock = createSystemWasiClock();
  let running: AbortController | undefined;
  let session: ShellSession | undefined;
  /** The files of the last run of a session, for its `/tmp`. */
  let before: FileSystem | undefined;
  let arrived: ((bytes: Uint8Array) => void) | undefined;
  const wanted = new Map<string, (brought: Brought) => void>();
  /** Programs that were checked, for as long as the thread lives. */
  const programs = new Map<string, Promise<Brought>>();

  const bring = (sha256: string): Promise<Brought> => {
    const { promise, resolve } = Promise.withResolvers<Brought>();
    const known = programs.get(sha256);
    if (known !== undefined) return known;
    programs.set(sha256, promise);
    wanted.set(sha256, resolve);
    port.post({ kind: "program", sha256 });
    return promise;
  };

  const asked = new Map<number, (answer: HostAnswer) => void>();
  let requests = 0;
  const network: HostNetwork = async (request, signal) => {
    requests += 1;
    const id = requests;
    const { promise, resolve, reject } = Promise.withResolvers<HostAnswer>();
    const stop = (): void => reject(signal.reason);
    asked.set(id, resolve);
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      port.post({ kind: "fetch", id, request });
      return await promise;
    } finally {
      asked.delete(id);
      signal.removeEventListener("abort", stop);
    }
  };
  const curl = createCurl(network);

  const openFiles = (
    folder: string | undefined,
    limits: ContainedLimits,
    bundleFiles: ReadonlyMap<string, Uint8Array>,
  ): FileSystem => {
    const base = folder === undefined ? createMemoryBase(new Map()) : deps.openBase(folder);
    const fileSystem = createMemoryFileSystem({
      now: clock.realtime,
      random: deps.random,
      mounts: [{ at: WORKSPACE, base }, ...bundleMounts(bundleFiles)],
      limits: { bytes: limits.fileBytes, fileBytes: limits.fileBytes },
    });
    for (const path of ["/home", "/home/user"]) fileSystem.makeDirectory(path);
    fileSystem.makeDirectory("/tmp", 0o1777);
    return fileSystem;
  };

  /** The repository is in a file system of its own, which scripts do not see. */
  const openRepository = (folder: string | undefined, limits: ContainedLimits): FileSystem =>
    createMemoryFileSystem({
      now: clock.realtime,
      random: deps.random,
      mounts: [
        { at: GIT_FOLDER, base: folder === undefined ? createMemoryBase(new Map()) : deps.openBase(folder) },
      ],
      limits: { bytes: limits.fileBytes, fileBytes: limits.fileBytes },
    });

  const openShell = (
    fileSystem: FileSystem,
    { limits, bundles }: Extract<ToBox, { kind: "run" }>,
    repository: FileSystem,
  ): { readonly shell: ShellRunner; readonly commands: CommandTable } => {
    const { tools, random } = deps;
    const bundled = createBundledCommands({ commands: bundles.commands, clock, random, bring });
    const more = new Map([...bundled, ["curl", curl]]);
    if (deps.git !== undefined) more.set("git", deps.git(WORKSPACE, repository));
    const commands = createCoreCommands({ tools, clock, random, shell: () => shell, more });
    const shell: ShellRunner = createShell({
      fileSystem,
      commands,
      limits: {
        steps: PROGRAM_STEPS,
        wallMs: limits.wallMs,
        outputBytes: limits.outputBytes,
        processes: limits.processes,
        expansionBytes: limits.outputBytes,
      },
      now: Date.now,
      random: Math.random,
    });
    return { shell, commands };
  };

  /** Asks for input only when a command wants some. */
  const stdin = {
    read(): Promise<Uint8Array> {
      return new Promise((resolve) => {
        arrived = resolve;
        port.post({ kind: "read" });
      });
    },
  };
  /** What was stopped may still write: nobody hears it. */
  const sinkOf = (stream: 1 | 2, signal: AbortSignal) => ({
    write(bytes: Uint8Array) {
      if (!signal.aborted) port.post({ kind: "output", stream, bytes: bytes.slice() });
    },
  });

  const run = async (order: Extract<ToBox, { kind: "run" }>, signal: AbortSignal): Promise<FromBox> => {
    const { limits } = order;
    const fileSystem = openFiles(order.folder, limits, order.bundles.files);
    const repository = openRepository(order.repository, limits);
    const changes = () => ({
      ...collectChanges(fileSystem),
      repository: collectChanges(repository, GIT_FOLDER).changes,
    });
    if (before !== undefined) copyFolder(before, fileSystem, "/tmp");
    const { shell, commands } = openShell(fileSystem, order, repository);
    const env = { ...ENVIRONMENT, ...order.run.env };
    const cwd = session?.cwd() ?? folderInside(fileSystem, order.run.cwd ?? "");
    const given = {
      script: order.run.script,
      stdin,
      stdout: sinkOf(1, signal),
      stderr: sinkOf(2, signal),
      signal,
    };
    const about = {
      ...(order.run.name !== undefined && { name: order.run.name }),
      args: order.run.args ?? [],
      env,
      cwd,
    };
    if (order.session === "fresh") {
      const { exitCode } = await shell.run({ ...given, ...about });
      return { kind: "done", exitCode, exited: true, cwd, ...changes() };
    }
    session ??= shell.open(about);
    before = fileSystem;
    const { exitCode, exited } = await session.run({ ...given, over: { fileSystem, commands } });
    return { kind: "done", exitCode, exited, cwd: session.cwd(), ...changes() };
  };

  const answer = async (order: Extract<ToBox, { kind: "run" }>): Promise<void> => {
    const stop = new AbortController();
    running = stop;
    try {
      port.post(await run(order, stop.signal));
    } catch (error) {
      if (error instanceof ShellError)
        port.post({ kind: "limit", limit: error.code, message: error.message });
      else if (stop.signal.aborted) port.post({ kind: "stopped" });
      else port.post({ kind: "failed", message: describe(error) });
    } finally {
      running = undefined;
      arrived = undefined;
    }
  };

  port.listen((message) => {
    if (message.kind === "run") void answer(message);
    else if (message.kind === "program") {
      const take = wanted.get(message.sha256);
      wanted.delete(message.sha256);
      // What was refused may be allowed, or whole, the next time.
      if ("refused" in message.brought) programs.delete(message.sha256);
      take?.(message.brought);
    } else if (message.kind === "fetched") asked.get(message.id)?.(message.answer);
    else if (message.kind === "stop") running?.abort(new DOMException("Aborted", "AbortError"));
    else {
      const take = arrived;
      arrived = undefined;
      take?.(message.bytes);
    }
  });
  port.post({ kind: "ready" });
}

/** Files of bundles stand behind one folder, as those of the workspace do. */
function bundleMounts(files: ReadonlyMap<string, Uint8Array>) {
  if (files.size === 0) return [];
  const inside = [...files].map(([path, bytes]) => [path.slice(BUNDLE_FILES.length + 1), bytes] as const);
  return [{ at: BUNDLE_FILES, base: createMemoryBase(new Map(inside)) }];
}

/** A folder of the workspace by its relative path; the workspace itself if there is none of that name. */
function folderInside(fileSystem: FileSystem, path: string): string {
  const at = path === "" ? WORKSPACE : `${WORKSPACE}/${path}`;
  try {
    const real = fileSystem.realPath(at);
    const inside = real === WORKSPACE || real.startsWith(`${WORKSPACE}/`);
    return inside && fileSystem.stat(real, "follow").kind === "directory" ? real : WORKSPACE;
  } catch {
    return WORKSPACE;
  }
}

/** Folders, files and links; what has several names becomes several files. */
function copyFolder(from: FileSystem, to: FileSystem, path: string): void {
  for (const { name, kind } of from.readDirectory(path)) {
    const at = `${path}/${name}`;
    if (kind === "directory") {
      to.makeDirectory(at, from.stat(at, "keep").mode);
      copyFolder(from, to, at);
    } else if (kind === "file") to.writeFile(at, from.readFile(at), from.stat(at, "keep").mode);
    else if (kind === "symlink") to.symlink(from.readLink(at), at);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Where scripts find the workspace. */
const WORKSPACE = "/workspace";

/** What a script did to the workspace, as a workspace takes it. Links are left out: a workspace has none. */
function collectChanges(
  fileSystem: FileSystem,
  mount: string = WORKSPACE,
): {
  readonly changes: readonly TreeChange[];
  readonly leftOut: readonly Skipped[];
} {
  const changes: TreeChange[] = [];
  const leftOut: Skipped[] = [];
  const gone = new Set<string>();
  const listed = fileSystem.changes(mount);
  for (const { path, change, kind } of listed)
    if (change === "deleted" && kind === "directory") gone.add(path);
  for (const { path, change, kind } of listed) {
    if (change === "deleted" && kind === "directory") changes.push({ kind: "no_folder", path });
    else if (change === "deleted") {
      changes.push({ kind: "remove", path });
      // A tree lets go of folders that become empty, and this one is still there.
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      if (folder !== "" && !gone.has(folder)) changes.push({ kind: "folder", path: folder });
    } else if (kind === "directory") {
      if (change === "created") changes.push({ kind: "folder", path });
    } else if (kind === "symlink") leftOut.push({ path, why: "it is a link" });
    else {
      const at = `${mount}/${path}`;
      const executable = (fileSystem.stat(at, "keep").mode & 0o100) !== 0;
      changes.push({ kind: "write", path, bytes: fileSystem.readFile(at), executable });
    }
  }
  return { changes, leftOut };
}
