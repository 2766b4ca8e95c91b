import type { CellFailure, Settlement } from "../sandbox.ts";
import { CELL_FILE, wrapCell } from "../wrap-cell.ts";
import type { BaseImage } from "./base-image.ts";
import { decodeImage, encodeImage, type Packing } from "./cell-image.ts";
import { createCellLog } from "./cell-log.ts";
import { type CellVm, openCellVm, reopenCellVm } from "./cell-vm.ts";
import type { Compiled, Compiler } from "./compiler.ts";
import { conclude, explainCrash } from "./conclude.ts";
import { createCpuMeter } from "./cpu-meter.ts";
import { lineOfStack } from "./line-of-stack.ts";
import { diffMemory, type SameBytes } from "./memory-delta.ts";
import type { CellEnd, GuestSpec, Slice } from "./messages.ts";
import type { VmSource } from "./vm-source.ts";

/** A cell that was started and has not ended. */
export interface GuestCell {
  settle(id: number, settlement: Settlement): Slice;
  /** Takes its image; the cell then ends in this worker. */
  leave(): Uint8Array;
}

export interface GuestEngine {
  readonly base: BaseImage;
  readonly compiler: Compiler;
  readonly vms: VmSource;
  readonly platform: GuestPlatform;
}

/** What the guest needs of the platform it runs on. */
export interface GuestPlatform {
  /** Computing time of this worker, or if unavailable the elapsed time. */
  readonly nowMs: () => number;
  readonly packing: Packing;
  readonly same: SameBytes;
}

export interface Started {
  readonly cell: GuestCell | undefined;
  readonly slice: Slice;
}

/**
 * Compiles the code, starts it in its own VM, and runs it until it first waits or ends. Never throws for
 * anything the code does; the last slice says how it ended, and its VM is then gone.
 */
export async function startGuestCell(engine: GuestEngine, spec: GuestSpec): Promise<Started> {
  const { code, limits } = spec;
  const script = { text: wrapCell(code), file: CELL_FILE };
  const compiled = await engine.compiler.compile(script, limits);
  if (compiled.kind !== "ok") return ended(explainRefusal(code, compiled));
  const log = createCellLog(limits.maxLogBytes);
  const meter = createCpuMeter(engine.platform.nowMs, limits.cpuMs);
  const vm = await openCellVm({ ...engine, limits, log, meter }, spec);
  const { cell, runSlice } = wrapVm(engine, spec, { vm, log, meter });
  const slice = runSlice(() => vm.run(compiled.bytecode));
  return { cell: slice.end === undefined ? cell : undefined, slice };
}

/** Continues from an image, which waits for calls: the first slice reports its open calls and its log again. */
export async function resumeGuestCell(
  engine: GuestEngine,
  spec: GuestSpec,
  image: Uint8Array,
): Promise<Started> {
  const { base, platform } = engine;
  const { limits } = spec;
  let decoded: ReturnType<typeof decodeImage>;
  try {
    decoded = decodeImage(platform.packing, base.fingerprint, image);
  } catch {
    return ended(UNUSABLE);
  }
  const { state, delta } = decoded;
  const log = createCellLog(limits.maxLogBytes, state.log);
  const meter = createCpuMeter(platform.nowMs, limits.cpuMs, state.usedMs);
  const vm = await reopenCellVm({ ...engine, limits, log, meter }, state, delta);
  if (vm === undefined) return ended(UNUSABLE);
  const { cell } = wrapVm(engine, spec, { vm, log, meter });
  return { cell, slice: { calls: state.open, usedMs: state.usedMs, logs: state.log.lines } };
}

const UNUSABLE: CellFailure = {
  code: "image_unusable",
  message: "The image is not one that this engine can go on from",
};

function wrapVm(
  engine: GuestEngine,
  { code, limits }: GuestSpec,
  parts: {
    readonly vm: CellVm;
    readonly log: ReturnType<typeof createCellLog>;
    readonly meter: ReturnType<typeof createCpuMeter>;
  },
): { readonly cell: GuestCell; readonly runSlice: (work: () => void) => Slice } {
  const { vm, log, meter } = parts;
  let state: "whole" | "broken" = "whole";

  const attempt = (work: () => void): CellEnd | undefined => {
    try {
      work();
      vm.pump();
      return conclude(vm, code);
    } catch (error) {
      state = "broken";
      return { kind: "failed", failure: explainCrash(error, vm.isMemoryFull()) };
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
    vm.release(state);
    return { ...done, calls: [], end };
  };

  return {
    runSlice,
    cell: {
      settle: (id, settlement) => runSlice(() => vm.settle(id, settlement)),
      leave() {
        const saved = vm.save();
        const { packing, same } = engine.platform;
        const delta = diffMemory(engine.base.snapshot, saved.memory, same);
        vm.release(state);
        return encodeImage(packing, engine.base.fingerprint, saved.state, delta);
      },
    },
  };
}

function ended(failure: CellFailure): Started {
  return { cell: undefined, slice: { calls: [], usedMs: 0, logs: [], end: { kind: "failed", failure } } };
}

function explainRefusal(code: string, refused: Exclude<Compiled, { readonly kind: "ok" }>): CellFailure {
  if (refused.kind === "gave_up") return explainCrash(refused.error, false);
  return { code: "syntax", message: refused.message, ...lineOfStack(code, refused.stack) };
}
