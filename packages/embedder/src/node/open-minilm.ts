import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { abortReason, type Clock, createIdleTimer } from "@deputy/kit";
import type { Embedder } from "../embedder.ts";
import { EmbedderError, type EmbedderErrorCode, embedderErrorCodes } from "../embedder-error.ts";
import type { EmbedAnswer, EmbedRequest } from "./minilm-messages.ts";
import { MODEL, modelFolder } from "./model-files.ts";

export { MODEL_FILES } from "./model-files.ts";

/** A thread that nobody needs is ended: the model takes about 90 MB. */
const IDLE_MS = 60_000;

/**
 * The model that comes with Deputy, in a thread that is started by the first request and ended when it has had none
 * for a while. After a crash, the next request starts another.
 */
export function openMiniLm(deps: {
  readonly clock: Clock;
  /** The folder with the files of the model; by default the one that was installed. */
  readonly folder?: string;
}): Embedder & AsyncDisposable {
  const { clock, folder } = deps;
  const waiting = new Map<number, PromiseWithResolvers<readonly Float32Array[]>>();
  let worker: Worker | undefined;
  let nextId = 1;

  const fail = (cause: unknown): void => {
    for (const { reject } of waiting.values())
      reject(new EmbedderError("embedder_failed", "The model for memory has stopped", { cause }));
    waiting.clear();
  };
  const end = async (): Promise<void> => {
    idle.stop();
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  const idle = createIdleTimer({ clock, idleMs: IDLE_MS, onIdle: () => void end() });
  const settle = (answer: EmbedAnswer): void => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) {
      worker?.unref();
      idle.restart();
    }
    if ("vectors" in answer) request?.resolve(answer.vectors);
    else request?.reject(errorOf(answer));
  };
  const start = (): Worker => {
    const started = new Worker(workerUrl(), {
      workerData: folder ?? modelFolder(),
      env: workerEnv(),
      stderr: true,
    });
    started.on("message", settle);
    started.on("error", (error) => {
      if (worker === started) worker = undefined;
      fail(error);
    });
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      if (worker === undefined) fail(undefined);
    });
    return started;
  };

  return {
    model: MODEL,
    async embed(texts, signal) {
      if (signal.aborted) throw abortReason(signal);
      if (texts.length === 0) return [];
      idle.stop();
      worker ??= start();
      worker.ref();
      const id = nextId++;
      const request = Promise.withResolvers<readonly Float32Array[]>();
      waiting.set(id, request);
      const stop = (): void => request.reject(abortReason(signal));
      signal.addEventListener("abort", stop, { once: true });
      worker.postMessage({ id, texts } satisfies EmbedRequest);
      try {
        return await request.promise;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async [Symbol.asyncDispose]() {
      await end();
      fail(undefined);
    },
  };
}

function errorOf(answer: Extract<EmbedAnswer, { code: string }>): EmbedderError {
  const code =
    embedderErrorCodes.find((each) => each === answer.code) ??
    ("embedder_failed" satisfies EmbedderErrorCode);
  return new EmbedderError(code, answer.message, answer.hint === undefined ? {} : { hint: answer.hint });
}

/** Passes on only the directory with this process's compiled sources, so that the thread starts sooner. */
function workerEnv(): NodeJS.Dict<string> {
  const cache = getCompileCacheDir(); // With the version of Node, which Node appends.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

/** A flat bundle has the worker's entry beside it, under the same name. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith(".ts") ? "./minilm-worker.ts" : "./minilm-worker.js";
  return new URL(name, import.meta.url);
}
