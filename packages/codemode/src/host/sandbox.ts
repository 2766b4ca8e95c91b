import type { Clock } from "@deputy/kit";
import type { EngineModule } from "../guest/messages.ts";
import type { Sandbox } from "../sandbox.ts";
import { runHostCell } from "./host-cell.ts";
import { createWorkerPool, type WorkerLink, type WorkerPoolLimits } from "./worker-pool.ts";

/** A sandbox over workers of any platform. Nothing is loaded or started before the first cell. */
export function createSandbox(deps: {
  readonly compileEngine: (memoryBytes: number) => Promise<EngineModule>;
  readonly startWorker: (signal: AbortSignal) => Promise<WorkerLink>;
  readonly clock: Clock;
  readonly limits: WorkerPoolLimits;
}): Sandbox {
  const closing = new AbortController();
  const engines = new Map<number, Promise<EngineModule>>();
  const pool = createWorkerPool(deps);

  const engineFor = (memoryBytes: number): Promise<EngineModule> => {
    const known = engines.get(memoryBytes);
    if (known !== undefined) return known;
    const compiled = deps.compileEngine(memoryBytes);
    engines.set(memoryBytes, compiled);
    compiled.catch(() => engines.delete(memoryBytes));
    return compiled;
  };

  return {
    start(spec, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      const engine = (): Promise<EngineModule> => engineFor(spec.limits.memoryBytes);
      return runHostCell({ lease: (giveUp, until) => pool.lease(engine, giveUp, until) }, spec, signal);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await pool[Symbol.asyncDispose]();
    },
  };
}
