import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type CoreUtils, loadCoreUtils } from "@deputy/core-utils";
import { createShell, type ExternalCommand, type ShellRunner } from "@deputy/shell";
import { type BaseTree, createMemoryBase, createMemoryFileSystem, type FileSystem } from "@deputy/vfs";
import { createSystemWasiClock } from "@deputy/wasi";
import { createCoreCommands } from "../../packages/contained-shell/src/core-commands.ts";
import { helperCommands } from "./helper-programs.ts";
import type { OilsCase } from "./read-cases.ts";
import { environmentOf, type Ran, type Setting } from "./run-in-bash.ts";

/** Runs cases in the shell of this project, with its own tools. */
export async function openOurs(
  checkout: string,
): Promise<(test: OilsCase, setting: Setting) => Promise<Ran>> {
  const module = import.meta.resolve("@deputy/core-utils/core-utils.wasm");
  const tools = await loadCoreUtils(readFileSync(new URL(module)));
  const data = readData(join(checkout, "spec"));
  return (test, setting) => runInOurs(test, setting, tools, data);
}

const CASE_MS = 10_000;

async function runInOurs(test: OilsCase, setting: Setting, tools: CoreUtils, data: BaseTree): Promise<Ran> {
  const clock = createSystemWasiClock();
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const fileSystem = createMemoryFileSystem({
    now: clock.realtime,
    random,
    mounts: [{ at: join(setting.checkout, "spec"), base: data }],
  });
  for (const path of ["/home/user", "/root", "/usr/bin", "/bin", "/etc", "/tmp", setting.folder])
    makeFolders(fileSystem, path);
  fileSystem.setMode("/tmp", 0o1777);
  const more = new Map<string, ExternalCommand>();
  for (const [name, run] of helperCommands) {
    const path = join(setting.helpers, name);
    for (const at of [name, path]) more.set(at, { path, run });
  }
  const commands = createCoreCommands({ tools, clock, random, shell: () => shell, more });
  const shell: ShellRunner = createShell({
    fileSystem,
    commands,
    limits: { wallMs: CASE_MS, steps: 3_000_000, outputBytes: 4_000_000 },
    now: Date.now,
    random: Math.random,
  });
  const text = { stdout: "", stderr: "" };
  let left: Uint8Array = Buffer.from(test.code, "latin1");
  try {
    const { exitCode } = await shell.run({
      script: "exec /bin/bash",
      env: environmentOf(setting),
      cwd: setting.folder,
      stdin: {
        read(max) {
          const some = left.subarray(0, max);
          left = left.subarray(some.length);
          return some;
        },
      },
      stdout: { write: (bytes) => void (text.stdout += Buffer.from(bytes).toString("latin1")) },
      stderr: { write: (bytes) => void (text.stderr += Buffer.from(bytes).toString("latin1")) },
      signal: AbortSignal.timeout(CASE_MS),
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

function readData(folder: string): BaseTree {
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(folder, path), readFileSync(path));
  }
  return createMemoryBase(files, { mode: 0o755 });
}
