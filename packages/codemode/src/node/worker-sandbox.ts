import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import type { Clock } from "@deputy/kit";
import { capWasmMemory } from "../guest/cap-wasm-memory.ts";
import type { EngineModule } from "../guest/messages.ts";
import { createSandbox } from "../host/sandbox.ts";
import type { WorkerPoolLimits } from "../host/worker-pool.ts";
import type { Sandbox } from "../sandbox.ts";
import { createBackgroundClock } from "./background-clock.ts";
import { startWorker } from "./worker-link.ts";

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
