import { type CoreUtils, toolNames } from "@deputy/core-utils";
import {
  type Channel,
  type CommandRun,
  type CommandTable,
  type ExternalCommand,
  type ShellRunner,
} from "@deputy/shell";
import type { CommandCall, WasiClock } from "@deputy/wasi";
import { exitOf, streamOf } from "./program-streams.ts";

/** Commands that start commands that start commands. */
const DEEPEST = 20;

/** The tools of every shell, by name or as `/bin/name` and `/usr/bin/name`. */
export function createCoreCommands(deps: {
  readonly tools: CoreUtils;
  readonly clock: WasiClock;
  readonly random: (length: number) => Uint8Array;
  /** Runs what commands such as `xargs` start. */
  readonly shell: () => ShellRunner;
  /** Further commands; none of them takes the place of a tool. */
  readonly more?: ReadonlyMap<string, ExternalCommand>;
}): CommandTable {
  let depth = 0;

  const start = async (run: CommandRun, call: CommandCall): Promise<number> => {
    if (depth >= DEEPEST) {
      await run.stderr.write(encode(`${call.argv[0] ?? ""}: commands start commands too deep\n`));
      return 126;
    }
    depth += 1;
    const hurry = call.timeoutMs === undefined ? [] : [AbortSignal.timeout(call.timeoutMs)];
    const signal = AbortSignal.any([run.signal, ...hurry]);
    try {
      // Straight to the program: a shell in between would leave its own variables in the environment.
      const program = find(call.argv[0] ?? "");
      if (program !== undefined) {
        const stdin = call.input === "inherit" ? run.stdin : NOTHING;
        const { argv, env, cwd } = call;
        return await program.run({ ...run, argv, env, cwd, stdin, signal });
      }
      const { exitCode } = await deps.shell().run({
        script: '"$@"',
        name: run.argv[0] ?? "bash",
        args: call.argv,
        env: call.env,
        cwd: call.cwd,
        stdin: call.input === "inherit" ? run.stdin : { read: () => new Uint8Array(0) },
        stdout: run.stdout,
        stderr: run.stderr,
        signal,
      });
      return exitCode;
    } catch (error) {
      if (hurry.some(({ aborted }) => aborted) && !run.signal.aborted) return TIMED_OUT;
      throw error;
    } finally {
      depth -= 1;
    }
  };

  const runTool = async (run: CommandRun): Promise<number> => {
    const streams = new Map([...run.descriptors].map(([fd, channel]) => [fd, streamOf(channel)]));
    const outcome = await deps.tools.run(
      {
        argv: run.argv,
        env: run.env,
        cwd: run.cwd,
        umask: run.umask,
        fileSystem: run.fileSystem,
        clock: deps.clock,
        random: deps.random,
        // Pipes are bounded, files have the limits of their file system, and the shell counts what leaves it.
        limits: { outputBytes: Number.MAX_SAFE_INTEGER },
        stdin: streamOf(run.stdin),
        stdout: streamOf(run.stdout),
        stderr: streamOf(run.stderr),
        streams,
        startCommand: (call) => start(run, call),
      },
      run.signal,
    );
    return await exitOf(outcome, run);
  };

  /** What is a program for others (`env echo`, `/usr/bin/printf`) and a part of our shell. */
  const runBuiltin = async (run: CommandRun): Promise<number> => {
    const name = (run.argv[0] ?? "").replace(/^.*\//, "");
    const { env, cwd, stdin, stdout, stderr, signal } = run;
    const script = `builtin ${name} "$@"`;
    const args = run.argv.slice(1);
    const done = await deps.shell().run({ script, name, args, env, cwd, stdin, stdout, stderr, signal });
    return done.exitCode;
  };

  /** `egrep` and `fgrep` are names for `grep` with an option. */
  const runGrep = (option: string) => (run: CommandRun) =>
    runTool({ ...run, argv: ["grep", option, ...run.argv.slice(1)] });

  const which = async (run: CommandRun): Promise<number> => {
    let status = 0;
    for (const name of run.argv.slice(1)) {
      const found = name.startsWith("-") ? undefined : find(name);
      if (found === undefined) status = 1;
      else await run.stdout.write(encode(`${found.path}\n`));
    }
    return status;
  };

  const table = new Map<string, ExternalCommand>([
    ...(deps.more ?? []),
    ...toolNames.map((name) => [name, { path: `/usr/bin/${name}`, run: runTool }] as const),
    ...BUILTINS.map((name) => [name, { path: `/usr/bin/${name}`, run: runBuiltin }] as const),
    ["egrep", { path: "/usr/bin/egrep", run: runGrep("-E") }],
    ["fgrep", { path: "/usr/bin/fgrep", run: runGrep("-F") }],
    ["which", { path: "/usr/bin/which", run: which }],
  ]);
  const find = (name: string): ExternalCommand | undefined =>
    table.get(name.replace(/^\/(?:usr\/)?bin\//, ""));
  return { find, names: () => [...table.keys()] };
}

const BUILTINS = ["[", "bash", "echo", "printf", "sh", "test"];

/** What `timeout` says of a command that took too long. */
const TIMED_OUT = 124;

/** Input that is at its end. */
const NOTHING: Channel = {
  readable: true,
  writable: false,
  isTerminal: false,
  read: () => new Uint8Array(0),
  write: () => undefined,
  unread: () => undefined,
  hold: () => NOTHING,
  release: () => undefined,
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
