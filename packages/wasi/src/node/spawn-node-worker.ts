import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { JobMessage } from "../worker/job.ts";
import type { JobWorker } from "../worker/worker-pool.ts";

/** A thread of Node that serves jobs. Older versions let programs wait only with a flag, set before the thread. */
export function spawnNodeWorker(): JobWorker {
  if (!("Suspending" in WebAssembly)) setFlagsFromString("--experimental-wasm-jspi");
  // The thread has nothing of this process to read: no environment, no input.
  const worker = new Worker(new URL("./wasi-worker.ts", import.meta.url), { env: {}, stdin: false });
  let handle: (message: JobMessage) => void = () => undefined;
  let fail: (cause: unknown) => void = () => undefined;
  worker.on("message", (message: JobMessage) => handle(message));
  worker.on("error", (error) => fail(error));
  worker.on("exit", (code) => fail(new Error(`The worker ended with ${code}.`)));
  return {
    post: (job) => worker.postMessage(job),
    onMessage(next) {
      handle = next;
    },
    onFailure(next) {
      fail = next;
    },
    async cpuMs() {
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1000;
    },
    async terminate() {
      await worker.terminate();
    },
  };
}
