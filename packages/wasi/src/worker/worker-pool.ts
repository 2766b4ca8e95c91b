import { abortReason, type Clock, throwIfAborted } from "@deputy/kit";
import type { ProgramOutcome } from "../run/run-program.ts";
import { WasiError } from "../wasi-error.ts";
import type { JobChange, JobMessage, WasiJob } from "./job.ts";

/** A thread that serves jobs, of whatever kind this place has. */
export interface JobWorker {
  post(job: WasiJob): void;
  onMessage(handle: (message: JobMessage) => void): void;
  /** The thread is gone, and not by `terminate`. */
  onFailure(handle: (cause: unknown) => void): void;
  /** CPU time that the thread has used so far; `undefined` where nobody can tell. */
  cpuMs(): Promise<number | undefined>;
  /** Ends the thread, whatever it does. Idempotent. */
  terminate(): Promise<void>;
}

export interface JobLimits {
  readonly wallMs: number;
  /** Not kept where nobody can tell: there, `wallMs` is what holds. */
  readonly cpuMs: number;
}

export type JobOutcome = ProgramOutcome | { readonly kind: "limit"; readonly limit: "wall" | "cpu" };

export interface JobResult {
  readonly outcome: JobOutcome;
  /** Nothing, if the worker had to be ended: a job that passes a limit changes no file. */
  readonly changes: readonly JobChange[];
}

export interface WorkerPool extends AsyncDisposable {
  /**
   * Runs a program in a thread of its own. Waits for a free one if all are busy. An abort and a passed limit end the
   * thread, whatever it does, and another takes its place. `worker_failed` if the thread died.
   */
  run(
    job: WasiJob,
    about: { readonly limits: JobLimits; output(stream: "stdout" | "stderr", bytes: Uint8Array): void },
    signal: AbortSignal,
  ): Promise<JobResult>;
}

/** How often a job's CPU time is looked at. */
const LOOK_MS = 50;

export function createWorkerPool(deps: {
  readonly spawn: () => JobWorker;
  readonly clock: Clock;
  /** Threads at once; jobs beyond that wait. */
  readonly size: number;
}): WorkerPool {
  const idle: JobWorker[] = [];
  /** Whoever waits for a free thread, the first first. */
  const waiting = new Set<() => void>();
  let busy = 0;
  const closed = new AbortController();

  const enter = async (signal: AbortSignal): Promise<void> => {
    while (busy >= deps.size) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = (): void => {
        waiting.delete(resolve);
        reject(abortReason(signal));
      };
      signal.addEventListener("abort", stop, { once: true });
      waiting.add(resolve);
      try {
        await promise;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    }
    busy += 1;
  };

  const leave = (): void => {
    busy -= 1;
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next);
    next();
  };

  return {
    async run(job, about, given) {
      const signal = AbortSignal.any([given, closed.signal]);
      throwIfAborted(signal);
      await enter(signal);
      const worker = idle.pop() ?? deps.spawn();
      let reusable = false;
      try {
        const result = await runOn(worker, job, about, deps.clock, signal);
        reusable = result.outcome.kind !== "limit" && result.outcome.kind !== "stopped";
        return result;
      } finally {
        if (reusable && !closed.signal.aborted) idle.push(worker);
        else await worker.terminate();
        leave();
      }
    },
    async [Symbol.asyncDispose]() {
      closed.abort();
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

async function runOn(
  worker: JobWorker,
  job: WasiJob,
  about: Parameters<WorkerPool["run"]>[1],
  clock: Clock,
  signal: AbortSignal,
): Promise<JobResult> {
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
  const over = new AbortController();
  const watching = AbortSignal.any([signal, over.signal]);
  worker.onMessage((message) => {
    if (over.signal.aborted) return;
    if (message.kind === "output") about.output(message.stream, message.bytes);
    else if (message.kind === "ended") resolve({ outcome: message.outcome, changes: message.changes });
    else reject(new WasiError("worker_failed", "The program's worker failed.", { cause: message.message }));
  });
  worker.onFailure((cause) =>
    reject(new WasiError("worker_failed", "The program's worker ended.", { cause })),
  );
  const ended = (limit: "wall" | "cpu"): void => resolve({ outcome: { kind: "limit", limit }, changes: [] });
  const stop = (): void => resolve({ outcome: { kind: "stopped" }, changes: [] });
  signal.addEventListener("abort", stop, { once: true });
  watch(worker, about.limits, clock, watching).then(ended, () => undefined);
  worker.post(job);
  try {
    return await promise;
  } finally {
    over.abort();
    signal.removeEventListener("abort", stop);
  }
}

/** Resolves with the limit that was passed; rejects when the job is over. */
async function watch(
  worker: JobWorker,
  limits: JobLimits,
  clock: Clock,
  signal: AbortSignal,
): Promise<"wall" | "cpu"> {
  const start = clock.monotonicMs();
  const before = await worker.cpuMs();
  for (;;) {
    const left = start + limits.wallMs - clock.monotonicMs();
    if (left <= 0) return "wall";
    await clock.sleep(Math.min(left, LOOK_MS), signal);
    const used = await worker.cpuMs();
    if (used !== undefined && before !== undefined && used - before >= limits.cpuMs) return "cpu";
  }
}
