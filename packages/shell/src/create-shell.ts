import type { FileSystem } from "@deputy/vfs";
import { createArithmetic } from "./arithmetic/arithmetic.ts";
import { createBuiltins } from "./builtins/builtins.ts";
import type { CommandTable } from "./command-table.ts";
import { type ByteSink, type ByteSource, wrapStreams } from "./io/channel.ts";
import { defaultShellLimits, type ShellLimits } from "./limits.ts";
import type { PatternCache } from "./patterns/pattern.ts";
import { createEngine } from "./run/engine.ts";
import { ExitShell } from "./run/flow.ts";
import { createRuntime, exceed, type Runtime } from "./run/runtime.ts";
import { Shell } from "./run/shell.ts";
import { drive, type Task } from "./run/task.ts";
import { initializeVariables } from "./variables/initial-variables.ts";

export interface ShellRun {
  readonly script: string;
  /** `$0` and `$1`…; `$0` is `bash` unless it is given. */
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  /** Ends the script at once: the run rejects with its reason. */
  readonly signal: AbortSignal;
}

/** What a session begins with. */
export type ShellStart = Pick<ShellRun, "name" | "args" | "env" | "cwd">;

/** Runs scripts as bash does, over a file system in memory. */
export interface ShellRunner {
  /**
   * Resolves with the exit code, whatever the script did. Rejects with `ShellError` when a limit is reached, and with
   * the signal's reason when it is aborted.
   */
  run(run: ShellRun): Promise<{ readonly exitCode: number }>;
  /** A shell that stays, as one at a terminal does. */
  open(start: ShellStart): ShellSession;
}

/** One shell for several scripts, one after the other: variables, functions and the folder stay. */
export interface ShellSession {
  /**
   * As `ShellRunner.run`. `exited` says whether the script ended the shell. After an abort the shell goes on with the next
   * script. `over` has other files and commands than
   * those of the runner.
   */
  run(
    run: Omit<ShellRun, keyof ShellStart> & { readonly over?: ShellPlace },
  ): Promise<{ readonly exitCode: number; readonly exited: boolean }>;
  cwd(): string;
}

/** What a shell works on. */
export interface ShellPlace {
  readonly fileSystem: FileSystem;
  readonly commands: CommandTable;
}

export function createShell(deps: {
  readonly fileSystem: FileSystem;
  readonly commands: CommandTable;
  readonly limits?: Partial<ShellLimits>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, as `Math.random` gives it. */
  readonly random: () => number;
}): ShellRunner {
  const engine = createEngine(createBuiltins());
  const arithmetic = createArithmetic();
  const patterns: PatternCache = new Map();
  const limits = { ...defaultShellLimits, ...deps.limits };

  const openRuntime = (signal: AbortSignal, over: ShellPlace = deps): Runtime => {
    const { fileSystem, commands } = over;
    return createRuntime({ ...deps, fileSystem, commands, limits, arithmetic, patterns, signal });
  };

  const openShell = (start: ShellStart, runtime: Runtime): Shell => {
    const first = {
      pid: runtime.nextPid(),
      pending: [],
      abort: new AbortController(),
      handles: (signal: string): boolean => shell.traps.has(signal),
      traps: undefined,
    };
    const shell: Shell = new Shell({ runtime, engine, process: first });
    shell.cwd = start.cwd;
    shell.name = start.name ?? "bash";
    shell.positional = start.args ?? [];
    initializeVariables(shell, start.env);
    return shell;
  };

  /** Gives a shell its streams, and runs a task of it until that, a limit or the signal ends it. */
  const runIn = async (
    shell: Shell,
    run: Omit<ShellRun, keyof ShellStart>,
    task: () => Task<number>,
  ): Promise<number> => {
    const { runtime } = shell;
    let written = 0;
    const counted = (sink: ByteSink): ByteSink => ({
      write(bytes) {
        written += bytes.length;
        if (written > limits.outputBytes) {
          exceed("output_limit", `The script wrote more than ${String(limits.outputBytes)} bytes.`);
        }
        return sink.write(bytes);
      },
    });
    runtime.processes.set(shell.process.pid, shell.process);
    shell.descriptors.set(0, wrapStreams({ source: run.stdin }));
    shell.descriptors.set(1, wrapStreams({ sink: counted(run.stdout) }));
    shell.descriptors.set(2, wrapStreams({ sink: counted(run.stderr) }));
    try {
      return (await drive(task(), run.signal)) & 0xff;
    } catch (error) {
      // What JavaScript itself cannot hold.
      if (!(error instanceof RangeError)) throw error;
      if (error.message.includes("call stack"))
        return exceed("depth_limit", "The script is nested too deep.");
      return exceed("expansion_limit", "A value became too large.");
    } finally {
      for (const each of runtime.processes.values())
        if (each !== shell.process) each.abort.abort(new DOMException("Aborted", "AbortError"));
    }
  };

  const sessionOf = (shell: Shell): ShellSession => ({
    async run(run) {
      run.signal.throwIfAborted();
      shell.runtime = openRuntime(run.signal, run.over);
      shell.line = 1;
      let exited = false;
      function* lines(): Task<number> {
        try {
          return yield* shell.engine.runLines(shell, run.script);
        } catch (error) {
          if (!(error instanceof ExitShell)) throw error;
          exited = true;
          const { status } = error;
          return yield* shell.engine.runToEnd(shell, ended(status));
        }
      }
      try {
        return { exitCode: await runIn(shell, run, lines), exited };
      } catch (error) {
        shell.status = INTERRUPTED;
        shell.forgiving = 0;
        shell.loopDepth = 0;
        shell.flow = undefined;
        throw error;
      }
    },
    cwd: () => shell.cwd,
  });

  return {
    async run(run) {
      run.signal.throwIfAborted();
      const shell = openShell(run, openRuntime(run.signal));
      const task = () => engine.runToEnd(shell, engine.runLines(shell, run.script));
      try {
        return { exitCode: await runIn(shell, run, task) };
      } finally {
        shell.process.abort.abort(new DOMException("Aborted", "AbortError"));
        shell.descriptors.closeAll();
      }
    },
    open: (start) => sessionOf(openShell(start, openRuntime(new AbortController().signal))),
  };
}

/** What `$?` is after Ctrl-C. */
const INTERRUPTED = 130;

// oxlint-disable-next-line require-yield -- a task that is over already
function* ended(status: number): Task<number> {
  return status;
}
