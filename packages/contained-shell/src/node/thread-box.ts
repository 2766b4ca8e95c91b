import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { FromBox } from "../box-messages.ts";
import type { Box, Died } from "./box.ts";

/** What a thread may keep in objects; files and memories of programs have limits of their own. */
const HEAP_MB = 512;

export function openThreadBox(module: WebAssembly.Module): Box {
  // Without it, programs could not wait for each other in a pipeline. A thread takes the flag as it is when it starts.
  setFlagsFromString("--experimental-wasm-jspi");
  const worker = new Worker(workerUrl(), {
    name: "deputy-shell",
    workerData: { module },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
    execArgv: [],
  });
  let died: Died | undefined;
  const ended = new Promise<Died | undefined>((resolve) => worker.once("exit", () => resolve(died)));
  worker.on("error", (error: NodeJS.ErrnoException) => {
    died =
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? { limit: "memory_limit", message: `The script needed more than ${HEAP_MB} MB of memory.` }
        : { limit: "crashed", message: `The shell broke: ${error.message}` };
  });
  worker.unref();
  return {
    ended,
    post: (message) => worker.postMessage(message),
    listen(receive) {
      const take = (message: FromBox): void => receive(message);
      worker.on("message", take);
      return () => void worker.off("message", take);
    },
    async cpuMs() {
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1_000;
    },
    end: async () => void (await worker.terminate()),
    hold: (what) => (what === "runs" ? worker.ref() : worker.unref()),
  };
}

const FROM_SOURCES = import.meta.url.endsWith(".ts");

function workerUrl(): URL {
  return new URL(FROM_SOURCES ? "./shell-worker.ts" : "./shell-worker.js", import.meta.url);
}

/** The tools; a bundle has them beside it. */
export function toolsUrl(): URL {
  return FROM_SOURCES
    ? new URL(import.meta.resolve("@deputy/core-utils/core-utils.wasm"))
    : new URL("./core-utils.wasm", import.meta.url);
}
