import type { CellFailure, Settlement } from "../sandbox.ts";
import { CELL_FILE, wrapCell } from "../wrap-cell.ts";
import { createCellLog } from "./cell-log.ts";
import { openCellVm } from "./cell-vm.ts";
import { conclude, explainCrash } from "./conclude.ts";
import { createCpuMeter } from "./cpu-meter.ts";
import { type Compiled, compileScript } from "./engine.ts";
import { lineOfStack } from "./line-of-stack.ts";
import type { CellEnd, GuestSpec, Slice } from "./messages.ts";

/** A cell that was started and has not ended. */
export interface GuestCell {
  settle(id: number, settlement: Settlement): Slice;
}

export interface GuestEngine {
  readonly module: WebAssembly.Module;
  /** The prelude's bytecode. */
  readonly prelude: Uint8Array;
  readonly nowMs: () => number;
}

/**
 * Compiles the code, starts it in a VM of its own, and runs it until it first waits or ends. Nothing
 * the code does makes this throw; the last slice says how it ended, and the VM is gone with it.
 */
export async function startGuestCell(
  engine: GuestEngine,
  spec: GuestSpec,
): Promise<{ readonly cell: GuestCell | undefined; readonly slice: Slice }> {
  const { code, limits } = spec;
  const log = createCellLog(limits.maxLogBytes);
  const meter = createCpuMeter(engine.nowMs, limits.cpuMs);

  const compiled = await compileScript(engine.module, limits, { text: wrapCell(code), file: CELL_FILE });
  if (compiled.kind !== "ok") {
    const end: CellEnd = { kind: "failed", failure: explainRefusal(code, compiled) };
    return { cell: undefined, slice: { calls: [], usedMs: 0, logs: [], end } };
  }
  const vm = await openCellVm(engine, spec, { log, meter });

  const attempt = (work: () => void): CellEnd | undefined => {
    try {
      work();
      vm.pump();
      return conclude(vm, code);
    } catch (error) {
      return { kind: "failed", failure: explainCrash(error) };
    }
  };

  /** A limit explains everything after it: the engine stops code by throwing. */
  const reachedLimit = (): CellFailure | undefined => {
    if (!meter.isSpent()) return vm.bridge.failure();
    return { code: "time_limit", message: `It computed for over ${limits.cpuMs} ms` };
  };

  const runSlice = (work: () => void): Slice => {
    meter.resume();
    const attempted = attempt(work);
    meter.pause();
    const limit = reachedLimit();
    const end: CellEnd | undefined = limit === undefined ? attempted : { kind: "failed", failure: limit };
    const done = { usedMs: meter.usedMs(), logs: log.take() };
    if (end === undefined) return { ...done, calls: vm.bridge.takeCalls() };
    vm[Symbol.dispose]();
    return { ...done, calls: [], end };
  };

  const slice = runSlice(() => vm.run(compiled.bytecode));
  if (slice.end !== undefined) return { cell: undefined, slice };
  return { cell: { settle: (id, settlement) => runSlice(() => vm.settle(id, settlement)) }, slice };
}

function explainRefusal(code: string, refused: Exclude<Compiled, { readonly kind: "ok" }>): CellFailure {
  if (refused.kind === "gave_up") return explainCrash(refused.error);
  return { code: "syntax", message: refused.message, ...lineOfStack(code, refused.stack) };
}
