import type { FileSystem } from "@deputy/vfs";
import type { Arithmetic } from "../arithmetic/arithmetic.ts";
import type { CommandTable } from "../command-table.ts";
import type { ShellLimits } from "../limits.ts";
import type { PatternCache } from "../patterns/pattern.ts";
import { ShellError, type ShellErrorCode } from "../shell-error.ts";
import type { Process } from "./process.ts";

/** What all shells of one run share. */
export interface Runtime {
  readonly fileSystem: FileSystem;
  readonly commands: CommandTable;
  readonly limits: ShellLimits;
  readonly arithmetic: Arithmetic;
  readonly patterns: PatternCache;
  readonly signal: AbortSignal;
  readonly startedMs: number;
  readonly processes: Map<number, Process>;
  /** Milliseconds since 1970. */
  now(): number;
  random(max: number): number;
  nextPid(): number;
  /** Counts a step. A promise if others are to have their turn now. Throws at a limit and on abort. */
  tick(): Promise<void> | undefined;
  /** Throws `process_limit` if too many run; gives what to call when this one has ended. */
  enter(): () => void;
}

/** After so long others have their turn. */
const TURN_MS = 12;
/** The clock is looked at after so many steps. */
const LOOK_EVERY = 128;

export function exceed(code: ShellErrorCode, message: string): never {
  throw new ShellError(code, message);
}

export function createRuntime(deps: {
  readonly fileSystem: FileSystem;
  readonly commands: CommandTable;
  readonly limits: ShellLimits;
  readonly arithmetic: Arithmetic;
  readonly patterns: PatternCache;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
}): Runtime {
  const { limits, signal } = deps;
  const startedMs = deps.now();
  let steps = 0;
  let turnMs = startedMs;
  let pid = 1000;
  let running = 0;
  return {
    ...deps,
    startedMs,
    processes: new Map(),
    random: (max) => Math.floor(deps.random() * max),
    nextPid() {
      pid += 1;
      return pid;
    },
    tick() {
      steps += 1;
      if (steps % LOOK_EVERY !== 0) return undefined;
      signal.throwIfAborted();
      if (steps > limits.steps)
        exceed("step_limit", `The script ran more than ${String(limits.steps)} steps.`);
      const nowMs = deps.now();
      if (nowMs - startedMs > limits.wallMs) {
        exceed("wall_limit", `The script ran longer than ${String(limits.wallMs)} ms.`);
      }
      if (nowMs - turnMs < TURN_MS) return undefined;
      return new Promise((resolve) => {
        setTimeout(() => {
          turnMs = deps.now();
          resolve();
        }, 0);
      });
    },
    enter() {
      running += 1;
      if (running > limits.processes) {
        exceed("process_limit", `The script runs more than ${String(limits.processes)} processes at once.`);
      }
      let left = false;
      return () => {
        if (!left) running -= 1;
        left = true;
      };
    },
  };
}
