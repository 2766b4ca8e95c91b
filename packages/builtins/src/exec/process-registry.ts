import { abortReason, type Clock, openTaskGroup } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import type { CommandResult, StartedCommand } from "../bash/command-runner.ts";

/** Commands that may outlive the call that started them. Each belongs to one session; others do not see it. */
export interface ProcessRegistry extends AsyncDisposable {
  /** Starts one. Throws `too_many_processes`, or the group's reason once it is disposed. */
  start(order: ProcessOrder): Process;
  /** Those of a session that went on after their call, the oldest first. */
  list(session: string): readonly Process[];
  /** Throws `process_not_found`: it never was, is another session's, or ended longer ago than is remembered. */
  find(session: string, id: string): Process;
}

export interface ProcessOrder {
  readonly session: string;
  readonly command: string;
  /** Runs it, calls `onStart` once it runs, and ends it when the signal aborts. */
  readonly run: (signal: AbortSignal, onStart: (started: StartedCommand) => void) => Promise<CommandResult>;
}

export interface Process {
  readonly id: string;
  readonly command: string;
  readonly startedAtMs: number;
  state(): ProcessState;
  output(): Pick<CommandResult, "stdout" | "stderr">;
  write(text: string, then: "go_on" | "end"): boolean;
  /** Resolves once all of its processes have ended. Idempotent. */
  kill(): Promise<void>;
  /**
   * Resolves when it has ended, or after so long. An abort rejects with its reason, and leaves it running.
   */
  wait(ms: number, signal: AbortSignal): Promise<ProcessState>;
  /** From now on the process is listed, and its end is reported. */
  leave(): void;
}

export type ProcessState =
  | { readonly kind: "running" }
  | { readonly kind: "ended"; readonly atMs: number; readonly result: CommandResult }
  /** It could not be run, or was killed. */
  | { readonly kind: "failed"; readonly atMs: number; readonly error: unknown };

/** Remembers, beyond this process, which commands run. Neither throws. */
export interface ProcessRecord {
  begin(
    id: string,
    process: { readonly pid: number; readonly session: string; readonly command: string },
  ): void;
  end(id: string): void;
}

export interface ProcessLimits {
  readonly running: number;
  readonly runningInSession: number;
  readonly ended: number;
  readonly endedMs: number;
}

export const DEFAULT_PROCESS_LIMITS: ProcessLimits = {
  running: 32,
  runningInSession: 8,
  ended: 50,
  endedMs: 30 * 60_000,
};

interface Entry extends Process {
  readonly session: string;
  isLeft(): boolean;
}

/** Disposed, it ends all that still run, and waits for that. */
export function createProcessRegistry(deps: {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly record: ProcessRecord;
  /**
   * Called at the end of each process that was left running, except those that are killed or end with the registry.
   * Must not throw.
   */
  readonly onEnd: (session: string, process: Process) => void;
  readonly limits?: Partial<ProcessLimits>;
  readonly signal: AbortSignal;
}): ProcessRegistry {
  const { clock, record } = deps;
  const limits = { ...DEFAULT_PROCESS_LIMITS, ...deps.limits };
  const group = openTaskGroup(deps.signal);
  const entries = new Map<string, Entry>();
  const isRunning = (entry: Entry): boolean => entry.state().kind === "running";

  const refuseTooMany = (session: string): void => {
    const running = [...entries.values()].filter(isRunning);
    const own = running.filter((entry) => entry.session === session);
    if (running.length < limits.running && own.length < limits.runningInSession) return;
    throw new ToolsError(
      "too_many_processes",
      `${own.length} commands run here already, ${running.length} in all`,
      {
        hint: "End one with process.kill, or wait for one.",
        quotes: [],
      },
    );
  };

  /** Keeps only the last of the ended processes, and only for a while. */
  const keepEnded = (entry: Entry): void => {
    const ended = [...entries.values()].filter((other) => !isRunning(other));
    for (const old of ended.slice(0, Math.max(0, ended.length - limits.ended))) entries.delete(old.id);
    if (group.signal.aborted) return;
    group.spawn(async (signal) => {
      await clock.sleep(limits.endedMs, signal);
      entries.delete(entry.id);
    });
  };

  const start = (order: ProcessOrder): Entry => {
    refuseTooMany(order.session);
    const id = deps.newId();
    const stop = new AbortController();
    const done = Promise.withResolvers<void>();
    let state: ProcessState = { kind: "running" };
    let started: StartedCommand | undefined;
    let isLeft = false;
    let isKilled = false;

    const carryOut = async (): Promise<void> => {
      try {
        const result = await order.run(stop.signal, (running) => {
          started = running;
          record.begin(id, { pid: running.pid, session: order.session, command: order.command });
        });
        state = { kind: "ended", atMs: clock.now(), result };
      } catch (error) {
        state = { kind: "failed", atMs: clock.now(), error };
      }
      if (started !== undefined) record.end(id);
      if (isLeft) keepEnded(entry);
      else entries.delete(id);
      if (isLeft && !isKilled && !group.signal.aborted) deps.onEnd(order.session, entry);
      done.resolve();
    };

    const entry: Entry = {
      id,
      session: order.session,
      command: order.command,
      startedAtMs: clock.now(),
      state: () => state,
      isLeft: () => isLeft,
      output: () =>
        state.kind === "ended" ? state.result : (started?.output() ?? { stdout: "", stderr: "" }),
      write: (text, then) => state.kind === "running" && started?.write(text, then) === true,
      async kill() {
        isKilled = true;
        stop.abort(new ToolsError("process_killed", "It was ended before it was done"));
        await done.promise;
      },
      async wait(ms, signal) {
        const over = new AbortController();
        const waiting = AbortSignal.any([signal, over.signal]);
        try {
          await Promise.race([done.promise, clock.sleep(ms, waiting)]);
        } finally {
          over.abort();
        }
        return state;
      },
      leave() {
        isLeft = true;
      },
    };
    group.spawn(async (signal) => {
      const end = (): void => stop.abort(abortReason(signal));
      signal.addEventListener("abort", end, { once: true });
      await carryOut();
      signal.removeEventListener("abort", end);
    });
    entries.set(id, entry);
    return entry;
  };

  return {
    start,
    list: (session) => [...entries.values()].filter((entry) => entry.session === session && entry.isLeft()),
    find(session, id) {
      const entry = entries.get(id);
      if (entry?.session === session && entry.isLeft()) return entry;
      throw new ToolsError("process_not_found", "There is no such process in this session", {
        hint: "process.list shows those there are; what has ended is forgotten after half an hour.",
        quotes: [],
      });
    },
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}
