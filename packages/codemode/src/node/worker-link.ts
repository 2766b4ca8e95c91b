import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { throwIfAborted } from "@deputy/kit";
import type { FromGuest } from "../guest/messages.ts";
import type { WorkerLink } from "../host/worker-pool.ts";

/** What the thread's own heap may hold: inputs, results and logs on their way through. */
const MAX_HEAP_MB = 512;

/** A worker that is not ready by then never will be. */
const MAX_START_MS = 30_000;

/** It answers even in the middle of a native loop; one that does not is beyond help. */
const MAX_ANSWER_MS = 2_000;

/** A sandbox worker in a thread of its own; resolves once it is ready. Rejects when it dies first; an abort stops it. */
export async function startWorker(signal: AbortSignal): Promise<WorkerLink> {
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

/** Infinity when the worker does not say: it is gone, or this Node cannot ask. */
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
 * Nothing of ours, but where this process keeps compiled sources: a thread that has to strip them itself takes
 * three times as long to start, and 30 MB more.
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
