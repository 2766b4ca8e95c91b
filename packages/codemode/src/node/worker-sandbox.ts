import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire, getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { type Clock, throwIfAborted } from "@deputy/kit";
import { capWasmMemory } from "../guest/cap-wasm-memory.ts";
import type { EngineModule, FromGuest } from "../guest/messages.ts";
import { createSandbox } from "../host/sandbox.ts";
import type { WorkerPoolLimits, WorkerLink } from "../host/worker-pool.ts";
import type { Sandbox } from "../sandbox.ts";
import { createBackgroundClock } from "./background-clock.ts";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";

export interface WorkerSandboxOptions {
  /** The engine's wasm module; default: the one of the `quickjs-wasi` package. */
  readonly wasmPath?: string;
  readonly limits?: Partial<WorkerPoolLimits>;
  /** For the wait until a worker is idle; its sleeps should not keep the process alive. */
  readonly clock?: Clock;
}

/** Cells that compute need a core each; those that wait need no worker. */
const defaultLimits = (): WorkerPoolLimits => ({
  workers: Math.min(Math.max(availableParallelism(), 2), 8),
  idleWorkers: 1,
  idleMs: 60_000,
});

/**
 * QuickJS in worker threads: one worker per computing cell, one VM per cell. Nothing is loaded or
 * started before the first cell. Disposing stops running cells as `aborted`.
 */
export function createWorkerSandbox(options: WorkerSandboxOptions = {}): Sandbox {
  return createSandbox({
    compileEngine: (memoryBytes) => compileEngine(options.wasmPath, memoryBytes),
    startWorker,
    clock: options.clock ?? createBackgroundClock(),
    limits: { ...defaultLimits(), ...options.limits },
  });
}

async function compileEngine(wasmPath: string | undefined, memoryBytes: number): Promise<EngineModule> {
  const path = wasmPath ?? createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  const wasm = await readFile(path);
  return {
    module: await WebAssembly.compile(capWasmMemory(wasm, memoryBytes)),
    fingerprint: createHash("sha256").update(wasm).digest("hex"),
  };
}

/** What the thread's own heap may hold: inputs, results and logs on their way through. */
const MAX_HEAP_MB = 512;

/** A worker that is not ready by then is given up. */
const MAX_START_MS = 30_000;

/** A worker answers even in the middle of a native loop; one that does not is lost. */
const MAX_ANSWER_MS = 5_000;

/** A sandbox worker in its own thread; resolves once it is ready. Rejects if it dies first; an abort stops it. */
async function startWorker(signal: AbortSignal): Promise<WorkerLink> {
  const worker = new Worker(workerUrl(), {
    name: "deputy-sandbox",
    env: workerEnv(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const ready = Promise.withResolvers<void>();
  const exit = Promise.withResolvers<void>();
  let lastClockMs = 0;
  let onMessage: (message: FromGuest) => void = () => ready.resolve();
  let onExit = (): void =>
    ready.reject(new Error("The sandbox's worker did not start", { cause: lastError }));
  let lastError: unknown;
  const terminate = (): void => void worker.terminate();

  worker.on("message", (message: FromGuest) => {
    lastClockMs = message.clockMs;
    onMessage(message);
  });
  // An uncaught error also ends the thread; `exit` says so.
  worker.on("error", (error) => {
    lastError = error;
  });
  worker.on("exit", () => {
    exit.resolve();
    onExit();
  });

  const timer = setTimeout(terminate, MAX_START_MS);
  signal.addEventListener("abort", terminate, { once: true });
  try {
    await ready.promise;
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", terminate);
  }
  return {
    post: (message) => worker.postMessage(message),
    listen(events) {
      ({ onMessage, onExit } = events);
    },
    terminate,
    afterMessages: (check) => void setImmediate(check),
    computingMs: async () => (await cpuMs(worker)) - lastClockMs,
    setBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    exited: exit.promise,
  };
}

/** Infinity if the worker does not answer: it is gone, or this Node cannot ask. */
async function cpuMs(worker: Worker): Promise<number> {
  try {
    const answer = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => answer.resolve(undefined), MAX_ANSWER_MS);
    const usage = await Promise.race([worker.cpuUsage(), answer.promise]);
    clearTimeout(timer);
    return usage === undefined ? Number.POSITIVE_INFINITY : (usage.user + usage.system) / 1_000;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Passes on only the directory with this process's compiled sources: a thread that has to strip them itself
 * takes three times as long to start, and 30 MB more.
 */
function workerEnv(): NodeJS.Dict<string> {
  const cache = getCompileCacheDir(); // With the version of Node, which Node appends.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

/** A flat bundle has the worker's entry beside it, under the same name. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith(".ts") ? "./sandbox-worker.ts" : "./sandbox-worker.js";
  return new URL(name, import.meta.url);
}
