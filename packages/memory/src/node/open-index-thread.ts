import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { type Clock, createIdleTimer } from "@deputy/kit";
import { MemoryError } from "../memory-error.ts";
import type { DocumentRecord, MemoryStore } from "../store/memory-store.ts";
import type { MemoryAnswer, MemoryRequest, StoreMethod } from "./memory-messages.ts";

/** A thread that nobody needs is ended: with a large index, it takes some 100 MB. */
const IDLE_MS = 120_000;
/** More than an index of a million pieces takes; beyond it, the thread ends, and not the process. */
const MOST_MB = 1_024;

/**
 * The index in a file, in a thread of its own: searching and filling a large one takes long, and must not hold up
 * whoever asks. The thread is started by the first request and ended when it has had none for a while; the next
 * request starts another, also after a crash. `onDamaged` is told when a damaged index is begun anew. All methods
 * reject with a `MemoryError`.
 */
export function openIndexThread(
  path: string,
  deps: { readonly clock: Clock; readonly onDamaged: () => void; readonly idleMs?: number },
): MemoryStore {
  let thread: IndexThread | undefined;
  let ending: Promise<void> | undefined;
  let isClosed = false;
  /** What the index knows of documents: every sync asks for all of them, and few have changed. */
  let known:
    | { readonly of: IndexThread; readonly version: number; readonly documents: Map<string, DocumentRecord> }
    | undefined;
  const onDamaged = (): void => {
    known = undefined;
    deps.onDamaged();
  };

  const end = async (): Promise<void> => {
    idle.stop();
    const ended = thread?.end();
    thread = undefined;
    ending = ended;
    await ended;
    if (ending === ended) ending = undefined;
  };
  const idle = createIdleTimer({
    clock: deps.clock,
    idleMs: deps.idleMs ?? IDLE_MS,
    onIdle: () => void end(),
  });
  const ask = async (method: StoreMethod, given: readonly unknown[]): Promise<never> => {
    // One thread at a time has the file.
    await ending;
    if (isClosed) throw new MemoryError("memory_closed", "The memory is closed");
    idle.stop();
    if (thread?.hasEnded() === true) thread = undefined;
    const current = (thread ??= startThread(path, onDamaged));
    try {
      return (await current.ask(method, given)) as never;
    } finally {
      if (!current.isBusy() && !isClosed) idle.restart();
    }
  };

  const note = (document: DocumentRecord): void => void known?.documents.set(document.key, document);

  return {
    version: () => ask("version", []),
    async documents() {
      const version: number = await ask("version", []);
      if (known === undefined || known.of !== thread || known.version !== version) {
        known = undefined;
        const documents: Map<string, DocumentRecord> = await ask("documents", []);
        if (thread !== undefined) known = { of: thread, version, documents };
        return new Map(documents);
      }
      return new Map(known.documents);
    },
    async put(...given) {
      await ask("put", given);
      note(given[0]);
    },
    async putText(...given) {
      await ask("putText", given);
      note(given[0]);
    },
    async update(documents) {
      await ask("update", [documents]);
      for (const document of documents) if (known?.documents.has(document.key) === true) note(document);
    },
    async remove(keys) {
      await ask("remove", [keys]);
      for (const key of keys) known?.documents.delete(key);
    },
    pending: (...given) => ask("pending", given),
    putVectors: (...given) => ask("putVectors", given),
    prune: (...given) => ask("prune", given),
    byWords: (...given) => ask("byWords", given),
    byMeaning: (...given) => ask("byMeaning", given),
    outlines: (...given) => ask("outlines", given),
    chunks: (...given) => ask("chunks", given),
    chunksOf: (...given) => ask("chunksOf", given),
    counts: (...given) => ask("counts", given),
    scrub: (...given) => ask("scrub", given),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await end();
    },
  };
}

interface IndexThread {
  ask(method: StoreMethod, given: readonly unknown[]): Promise<unknown>;
  /** True while requests have no answer yet. */
  isBusy(): boolean;
  hasEnded(): boolean;
  /** Answers what was asked, closes the file, so that nothing is left in the write-ahead log, and ends. */
  end(): Promise<void>;
}

function startThread(path: string, onDamaged: () => void): IndexThread {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let nextId = 1;
  let isEnding = false;
  let hasEnded = false;
  const worker = new Worker(workerUrl(), {
    workerData: path,
    env: workerEnv(),
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    stderr: true,
  });
  const exited = Promise.withResolvers<void>();
  const fail = (cause: unknown): void => {
    hasEnded = true;
    for (const { reject } of waiting.values())
      reject(new MemoryError("memory_unavailable", "The index of the memory has stopped", { cause }));
    waiting.clear();
  };
  worker.on("error", fail);
  worker.on("exit", () => {
    fail(undefined);
    exited.resolve();
  });
  worker.on("message", (answer: MemoryAnswer) => {
    if ("damaged" in answer) {
      onDamaged();
      return;
    }
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0 && !isEnding) worker.unref();
    if ("value" in answer) request?.resolve(answer.value);
    else if ("code" in answer) request?.reject(new MemoryError(answer.code, answer.message));
    else request?.reject(new Error(answer.bug));
  });
  return {
    async ask(method, given) {
      const id = nextId++;
      worker.postMessage({ id, method, given } satisfies MemoryRequest);
      worker.ref();
      const request = Promise.withResolvers<unknown>();
      waiting.set(id, request);
      return await request.promise;
    },
    isBusy: () => waiting.size > 0,
    hasEnded: () => hasEnded,
    async end() {
      if (hasEnded) return;
      isEnding = true;
      worker.ref();
      worker.postMessage({ id: nextId++, method: "close" } satisfies MemoryRequest);
      await exited.promise;
    },
  };
}

/** Passes on only the directory with this process's compiled sources, so that the thread starts sooner. */
function workerEnv(): NodeJS.Dict<string> {
  const cache = getCompileCacheDir(); // With the version of Node, which Node appends.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

/** A flat bundle has the worker's entry beside it, under the same name. */
function workerUrl(): URL {
  const name = import.meta.url.endsWith(".ts") ? "./memory-worker.ts" : "./memory-worker.js";
  return new URL(name, import.meta.url);
}
