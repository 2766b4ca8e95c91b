import { hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { MemoryError } from "../memory-error.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { chunksOf } from "../sync/index-document.ts";
import type { MemoryAnswer, MemoryRequest, PutText } from "./memory-messages.ts";
import { openIndexFile } from "./open-index-file.ts";

// The thread with the index. It answers one request after another, and opens the index with the first.

const port = parentPort;
if (port === null) throw new Error("memory-worker is started by openIndexThread");
const path = String(workerData);
let store: Promise<MemoryStore> | undefined;
let last = Promise.resolve();

port.on("message", (request: MemoryRequest) => {
  last = last.then(async () => port.postMessage(await answer(request)));
  if (request.method === "close") last = last.then(() => port.close());
});

async function answer(request: MemoryRequest): Promise<MemoryAnswer> {
  const { id } = request;
  try {
    return { id, value: await carryOut(request) };
  } catch (error) {
    if (error instanceof MemoryError) return { id, code: error.code, message: error.message };
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function carryOut(request: MemoryRequest): Promise<unknown> {
  if (request.method === "close") {
    await (await store?.catch(() => undefined))?.[Symbol.asyncDispose]();
    return undefined;
  }
  store ??= openIndexFile(path, () => port?.postMessage({ damaged: true } satisfies MemoryAnswer));
  const opened = await store.catch((error: unknown) => {
    store = undefined;
    throw error;
  });
  const { method, given } = request;
  if (method === "putText") {
    const [document, read, size] = given as PutText;
    return await opened.put(document, chunksOf(read, { hash: sha256, size }));
  }
  return await (opened[method] as (...args: readonly unknown[]) => Promise<unknown>)(...given);
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
