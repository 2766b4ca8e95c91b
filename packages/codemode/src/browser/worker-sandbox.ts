import { createSystemClock } from "@deputy/kit";
import { capWasmMemory } from "../guest/cap-wasm-memory.ts";
import type { EngineModule } from "../guest/messages.ts";
import { createSandbox } from "../host/sandbox.ts";
import type { WorkerPoolLimits } from "../host/worker-pool.ts";
import type { Sandbox } from "../sandbox.ts";
import { linkWorker } from "./worker-link.ts";

export interface BrowserSandboxDeps {
  /**
   * Starts `sandbox-worker.ts` as a module. It loads nothing: served with the policy `default-src 'none'`, it
   * reaches nothing even if a program breaks out of the engine.
   */
  readonly newWorker: () => Worker;
  /** The bytes of `quickjs-wasi/quickjs.wasm`. The page's policy must allow `wasm-unsafe-eval`. */
  readonly loadEngine: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly limits?: Partial<WorkerPoolLimits>;
}

const DEFAULT_LIMITS: WorkerPoolLimits = { workers: 4, idleWorkers: 1, idleMs: 60_000 };

/**
 * QuickJS in Web Workers, otherwise as in Node. Two things differ, because browsers have no API for them:
 * computing time is elapsed time, so a busy machine counts, and images are not compressed.
 */
export function createBrowserSandbox(deps: BrowserSandboxDeps): Sandbox {
  return createSandbox({
    compileEngine: async (memoryBytes) => compileEngine(await deps.loadEngine(), memoryBytes),
    startWorker: async (signal) => linkWorker(deps.newWorker(), signal),
    clock: createSystemClock(),
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
  });
}

async function compileEngine(wasm: Uint8Array<ArrayBuffer>, memoryBytes: number): Promise<EngineModule> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", wasm));
  return {
    module: await WebAssembly.compile(capWasmMemory(wasm, memoryBytes)),
    fingerprint: [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}
