import type { FileSystem } from "@deputy/vfs";
import { createArithmetic } from "./arithmetic/arithmetic.ts";
import { createBuiltins } from "./builtins/builtins.ts";
import type { CommandTable } from "./command-table.ts";
import { type ByteSink, type ByteSource, wrapStreams } from "./io/channel.ts";
import { defaultShellLimits, type ShellLimits } from "./limits.ts";
import type { PatternCache } from "./patterns/pattern.ts";
import { createEngine } from "./run/engine.ts";
import { createRuntime, exceed } from "./run/runtime.ts";
import { Shell } from "./run/shell.ts";
import { drive } from "./run/task.ts";
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

/** Runs scripts as bash does, over a file system in memory. */
export interface ShellRunner {
  /**
   * Resolves with the exit code, whatever the script did. Rejects with `ShellError` when a limit is reached, and with
   * the signal's reason when it is aborted.
   */
  run(run: ShellRun): Promise<{ readonly exitCode: number }>;
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

  return {
    async run(run) {
      run.signal.throwIfAborted();
      const runtime = createRuntime({ ...deps, limits, arithmetic, patterns, signal: run.signal });
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
      const first = {
        pid: runtime.nextPid(),
        pending: [],
        abort: new AbortController(),
        handles: (signal: string): boolean => shell.traps.has(signal),
        traps: undefined,
      };
      const shell: Shell = new Shell({ runtime, engine, process: first });
      runtime.processes.set(first.pid, first);
      shell.cwd = run.cwd;
      shell.name = run.name ?? "bash";
      shell.positional = run.args ?? [];
      shell.descriptors.set(0, wrapStreams({ source: run.stdin }));
      shell.descriptors.set(1, wrapStreams({ sink: counted(run.stdout) }));
      shell.descriptors.set(2, wrapStreams({ sink: counted(run.stderr) }));
      initializeVariables(shell, run.env);
      const stopped = new Promise<never>((_, reject) => {
        const stop = (): void => reject(run.signal.reason as Error);
        run.signal.addEventListener("abort", stop, { once: true });
      });
      stopped.catch(() => undefined);
      try {
        const done = drive(engine.runToEnd(shell, engine.runLines(shell, run.script)));
        return { exitCode: (await Promise.race([done, stopped])) & 0xff };
      } finally {
        for (const each of runtime.processes.values())
          each.abort.abort(new DOMException("Aborted", "AbortError"));
        shell.descriptors.closeAll();
      }
    },
  };
}
