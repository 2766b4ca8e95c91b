import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { capWasmMemory } from "../guest/cap-wasm-memory.ts";
import { runHostCell } from "../host/host-cell.ts";
import type { CellFailureCode, CellOutcome, CellSpec, RunningCell, Sandbox } from "../sandbox.ts";
import { type NodeWorkerLink, startWorker } from "./worker-link.ts";

export interface WorkerSandboxOptions {
  /** The engine's wasm module; default: the one of the `quickjs-wasi` package. */
  readonly wasmPath?: string;
}

/** Workers kept warm between cells; more are started as cells run side by side. */
const MAX_IDLE_WORKERS = 1;

/**
 * QuickJS in worker threads: one worker per running cell, one VM per cell. Nothing is loaded or
 * started before the first cell. Disposing stops running cells as `aborted`.
 */
export function createWorkerSandbox(options: WorkerSandboxOptions = {}): Sandbox {
  const closing = new AbortController();
  const modules = new Map<number, Promise<WebAssembly.Module>>();
  const idle: NodeWorkerLink[] = [];
  const alive = new Set<NodeWorkerLink>();
  let cells = 0;

  const moduleFor = (memoryBytes: number): Promise<WebAssembly.Module> => {
    const known = modules.get(memoryBytes);
    if (known !== undefined) return known;
    const compiled = compileEngine(options.wasmPath, memoryBytes);
    modules.set(memoryBytes, compiled);
    compiled.catch(() => modules.delete(memoryBytes));
    return compiled;
  };

  const takeWorker = async (signal: AbortSignal): Promise<NodeWorkerLink> => {
    const warm = idle.pop();
    if (warm !== undefined) return warm;
    const started = await startWorker(signal);
    alive.add(started);
    void started.exited.then(() => forget(started));
    return started;
  };
  const forget = (worker: NodeWorkerLink): void => {
    alive.delete(worker);
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
  };
  const giveBack = (worker: NodeWorkerLink): void => {
    if (idle.length >= MAX_IDLE_WORKERS || closing.signal.aborted) {
      worker.terminate();
      return;
    }
    worker.listen({ onMessage: () => {}, onExit: () => {} });
    worker.setBusy(false);
    idle.push(worker);
  };

  const launch = async (spec: CellSpec, signal: AbortSignal): Promise<RunningCell> => {
    const module = await moduleFor(spec.limits.memoryBytes);
    signal.throwIfAborted();
    const worker = await takeWorker(signal);
    worker.setBusy(true);
    cells += 1;
    return runHostCell({ link: worker, module, cell: cells }, spec, signal, (state) => {
      if (state === "idle") giveBack(worker);
    });
  };

  return {
    start(spec, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      let running: RunningCell | undefined;
      const run = async (): Promise<CellOutcome> => {
        try {
          running = await launch(spec, signal);
        } catch {
          return signal.aborted
            ? failed("aborted", "The cell was stopped")
            : failed("sandbox_crashed", "The sandbox could not be started");
        }
        return running.outcome;
      };
      return { settle: (id, settlement) => running?.settle(id, settlement), outcome: run() };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      const exits = [...alive].map((worker) => worker.exited);
      for (const worker of alive) {
        worker.setBusy(true);
        worker.terminate();
      }
      await Promise.all(exits);
    },
  };
}

async function compileEngine(wasmPath: string | undefined, memoryBytes: number): Promise<WebAssembly.Module> {
  const path = wasmPath ?? createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  return WebAssembly.compile(capWasmMemory(await readFile(path), memoryBytes));
}

function failed(code: CellFailureCode, message: string): CellOutcome {
  return { kind: "failed", failure: { code, message }, logs: [] };
}
