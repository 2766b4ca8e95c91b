import type { BundledCommand } from "@deputy/bundles";
import type { CommandRun, ExternalCommand } from "@deputy/shell";
import { type Preopen, type PreparedModule, runProgram, type WasiClock } from "@deputy/wasi";
import { exitOf, streamOf } from "./program-streams.ts";

/** A program as it came from its bundle, or why it may not be used. */
export type Brought = { readonly module: PreparedModule } | { readonly refused: string };

/** The commands of installed bundles. A program is brought, and checked, when it is first run. */
export function createBundledCommands(deps: {
  readonly commands: readonly BundledCommand[];
  readonly clock: WasiClock;
  readonly random: (length: number) => Uint8Array;
  readonly bring: (sha256: string) => Promise<Brought>;
}): ReadonlyMap<string, ExternalCommand> {
  const table = new Map<string, ExternalCommand>();
  const runOne = async (command: BundledCommand, run: CommandRun): Promise<number> => {
    const brought = await deps.bring(command.module);
    if ("refused" in brought) {
      await run.stderr.write(new TextEncoder().encode(`${run.argv[0] ?? ""}: ${brought.refused}\n`));
      return CANNOT_RUN;
    }
    const [name = "", ...args] = run.argv;
    const outcome = await runProgram(
      brought.module,
      {
        args: [name, ...command.args, ...withScript(command, args, run)],
        env: environmentOf(command, run),
        folder: run.cwd,
        fileSystem: run.fileSystem,
        preopens: preopensOf(command, run),
        clock: deps.clock,
        random: deps.random,
        limits: { outputBytes: Number.MAX_SAFE_INTEGER },
        stdin: streamOf(run.stdin),
        stdout: streamOf(run.stdout),
        stderr: streamOf(run.stderr),
        streams: new Map([...run.descriptors].map(([fd, channel]) => [fd, streamOf(channel)])),
      },
      run.signal,
    );
    return await exitOf(outcome, run);
  };
  for (const command of deps.commands)
    for (const name of command.names)
      if (!table.has(name)) table.set(name, { path: `/usr/bin/${name}`, run: (run) => runOne(command, run) });
  return table;
}

/** What a shell says of a program that is there and cannot be run. */
const CANNOT_RUN = 126;

function environmentOf({ env }: BundledCommand, run: CommandRun): Record<string, string> {
  const merged: Record<string, string> = { ...run.env, PWD: run.cwd };
  for (const [name, value] of Object.entries(env)) {
    const given = run.env[name];
    const isList = name.endsWith("PATH") && given !== undefined && given !== "";
    merged[name] = isList ? `${value}:${given}` : value;
  }
  return merged;
}

/** The words of a command with its file as an absolute path, for a program that begins in the root. */
function withScript(
  { script }: BundledCommand,
  args: readonly string[],
  { cwd }: Pick<CommandRun, "cwd">,
): readonly string[] {
  if (script === undefined) return args;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (script.values.includes(word)) at += 1;
    // `-c` may stand behind other letters, and its value right behind it.
    else if (script.instead.some((option) => isOption(option, word))) return args;
    else if (!word.startsWith("-") || word === "-") {
      const isPath = word !== "-" && word !== "" && !word.startsWith("/");
      return isPath ? args.with(at, `${cwd === "/" ? "" : cwd}/${word}`) : args;
    }
  }
  return args;
}

function isOption(option: string, word: string): boolean {
  return word.startsWith("-") && !word.startsWith("--") && word.includes(option.slice(1));
}

/**
 * Programs built with wasi-libc do not tell `/tmp/x` from `tmp/x`: they take the folder whose name the path begins
 * with, and else the one without a name. For those that begin in the script's folder, that is this folder, and the
 * folders of the root come by their names, unless the script's folder has one of that name itself. `..` is a name,
 * too: a program cannot leave a folder that it was given by it.
 */
function preopensOf({ begins }: BundledCommand, { cwd, fileSystem }: CommandRun): readonly Preopen[] {
  const root = { path: "/", directory: "/" };
  if (begins === "root" || cwd === "/") return [root];
  const own = new Set(fileSystem.readDirectory(cwd).map(({ name }) => name));
  const others = fileSystem
    .readDirectory("/")
    .filter(({ name, kind }) => kind === "directory" && !own.has(name))
    .map(({ name }) => ({ path: `/${name}`, directory: `/${name}` }));
  const depth = cwd.split("/").length - 1;
  const above = Array.from({ length: depth }, (_, steps) => ({
    path: Array.from({ length: steps + 1 }, () => "..").join("/"),
    directory:
      cwd
        .split("/")
        .slice(0, depth - steps)
        .join("/") || "/",
  }));
  return [...others, ...above, { path: ".", directory: cwd }];
}
