import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { type CoreUtils, loadCoreUtils } from "@deputy/core-utils";
import { createShell, type ExternalCommand, type ShellRunner } from "@deputy/shell";
import { type BaseTree, createMemoryBase, createMemoryFileSystem, type FileSystem } from "@deputy/vfs";
import { createSystemWasiClock } from "@deputy/wasi";
import { createCoreCommands } from "../../packages/contained-shell/src/core-commands.ts";
import type { Ran } from "./run-in-bash.ts";

/** The tools of this project. */
export async function loadOwnTools(): Promise<CoreUtils> {
  return await loadCoreUtils(
    readFileSync(new URL(import.meta.resolve("@deputy/core-utils/core-utils.wasm"))),
  );
}

/** Runs one script in a shell of its own, over files in memory and what `data` has of the disk. */
export async function runInScratchShell(run: {
  readonly script: string;
  readonly stdin: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly tools: CoreUtils;
  readonly mounts: readonly { readonly at: string; readonly base: BaseTree }[];
  readonly more?: ReadonlyMap<string, ExternalCommand>;
  readonly wallMs: number;
  readonly steps: number;
}): Promise<Ran> {
  const clock = createSystemWasiClock();
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const fileSystem = createMemoryFileSystem({ now: clock.realtime, random, mounts: run.mounts });
  for (const path of ["/home/user", "/root", "/usr/bin", "/bin", "/etc", "/tmp", run.folder])
    makeFolders(fileSystem, path);
  fileSystem.setMode("/tmp", 0o1777);
  const commands = createCoreCommands({
    tools: run.tools,
    clock,
    random,
    shell: () => shell,
    ...(run.more !== undefined && { more: run.more }),
  });
  const shell: ShellRunner = createShell({
    fileSystem,
    commands,
    limits: { wallMs: run.wallMs, steps: run.steps, outputBytes: 4_000_000 },
    now: Date.now,
    random: Math.random,
  });
  const text = { stdout: "", stderr: "" };
  let left = run.stdin;
  try {
    const { exitCode } = await shell.run({
      script: run.script,
      env: run.env,
      cwd: run.folder,
      stdin: {
        read(max) {
          const some = left.subarray(0, max);
          left = left.subarray(some.length);
          return some;
        },
      },
      stdout: { write: (bytes) => void (text.stdout += Buffer.from(bytes).toString("latin1")) },
      stderr: { write: (bytes) => void (text.stderr += Buffer.from(bytes).toString("latin1")) },
      signal: AbortSignal.timeout(run.wallMs),
    });
    return { ...text, status: exitCode };
  } catch (error) {
    return { ...text, stderr: `${text.stderr}${String(error)}`, status: "ended" };
  }
}

function makeFolders(fileSystem: FileSystem, path: string): void {
  let at = "";
  for (const name of path.split("/").slice(1)) {
    const known = at === "" || fileSystem.stat(at, "keep").kind === "directory";
    const names = known ? fileSystem.readDirectory(at === "" ? "/" : at).map((entry) => entry.name) : [];
    at = `${at}/${name}`;
    if (!names.includes(name)) fileSystem.makeDirectory(at);
  }
}

/** A folder of the disk, as files that never change; a link is the file that it leads to. */
export function readData(folder: string): BaseTree {
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isFile = entry.isFile() || (entry.isSymbolicLink() && statSync(path).isFile());
    if (isFile) files.set(relative(folder, path), readFileSync(path));
  }
  return createMemoryBase(files, { mode: 0o755 });
}
