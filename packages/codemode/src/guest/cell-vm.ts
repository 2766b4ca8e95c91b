import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { Settlement } from "../sandbox.ts";
import { type Bridge, createBridge } from "./bridge.ts";
import type { CellLog } from "./cell-log.ts";
import type { CpuMeter } from "./cpu-meter.ts";
import { createGuestVm } from "./engine.ts";
import type { GuestSpec } from "./messages.ts";
import { packTools } from "./pack-tools.ts";
import { createUnhandledRejections } from "./unhandled-rejections.ts";

/** A VM with the prelude in place. Every method but `bridge`'s runs guest code, and may throw what the engine throws. */
export interface CellVm extends Disposable {
  readonly bridge: Bridge;
  /** Whether the VM has ever grown close to its limit. */
  isMemoryFull(): boolean;
  /** Starts the cell's function. */
  run(bytecode: Uint8Array): void;
  /** An unknown or closed id is ignored. */
  settle(id: number, settlement: Settlement): void;
  /** Runs jobs until none is left. */
  pump(): void;
  /** Makes the oldest rejection that nobody handled the bridge's report; false when there is none. */
  reportUnhandled(): boolean;
  /** Where the oldest open call was made. */
  firstOpenStack(): string;
}

export async function openCellVm(
  engine: { readonly module: WebAssembly.Module; readonly prelude: Uint8Array },
  spec: GuestSpec,
  state: { readonly log: CellLog; readonly meter: CpuMeter },
): Promise<CellVm> {
  const rejections = createUnhandledRejections();
  const bridge = createBridge(spec.limits, state.log);
  let logicalMs = spec.startedAtMs;
  const { vm, isMemoryFull } = await createGuestVm(engine.module, spec.limits, {
    nowMs: () => logicalMs,
    shouldStop: () => state.meter.isSpent() || bridge.failure() !== undefined,
    onUnhandledRejection: rejections.note,
  });
  const guest = loadPrelude(vm, engine.prelude, bridge, spec);

  return {
    bridge,
    isMemoryFull,
    run(bytecode) {
      using cell = vm.evalBytecode(bytecode);
      vm.callFunction(guest.run, vm.undefined, cell).dispose();
    },
    settle(id, settlement) {
      if (!bridge.close(id)) return;
      logicalMs = Math.max(logicalMs, settlement.atMs);
      const isOk = settlement.kind === "ok";
      using number = vm.newNumber(id);
      using text = newText(vm, isOk ? settlement.json : settlement.message);
      using code = newText(vm, isOk ? "" : settlement.code);
      vm.callFunction(guest.settle, vm.undefined, number, isOk ? vm.true : vm.false, text, code).dispose();
    },
    pump: () => void vm.executePendingJobs(),
    reportUnhandled() {
      const reason = rejections.first();
      if (reason === undefined) return false;
      vm.callFunction(guest.fail, vm.undefined, reason).dispose();
      return true;
    },
    firstOpenStack() {
      using stack = vm.callFunction(guest.firstOpenStack, vm.undefined);
      return stack.isString ? stack.toString() : "";
    },
    [Symbol.dispose]: () => vm.dispose(),
  };
}

/** Nothing of this is ever visible to the cell's code except `tools`, `console` and `Math.random`. */
function loadPrelude(
  vm: QuickJS,
  bytecode: Uint8Array,
  bridge: Bridge,
  spec: GuestSpec,
): Record<"run" | "settle" | "fail" | "firstOpenStack", JSValueHandle> {
  using prelude = vm.evalBytecode(bytecode);
  using tools = newText(vm, packTools(spec.toolPaths));
  using seed = vm.newNumber(spec.seed);
  using maxLogChars = vm.newNumber(spec.limits.maxLogBytes);
  const { call, log, done } = bridge.install(vm);
  using api = vm.callFunction(prelude, vm.undefined, call, log, done, tools, seed, maxLogChars);
  return {
    run: api.getProp("run"),
    settle: api.getProp("settle"),
    fail: api.getProp("fail"),
    firstOpenStack: api.getProp("firstOpenStack"),
  };
}

/** Throws when the VM has no memory for it; the engine itself would hand back something that is no string. */
function newText(vm: QuickJS, text: string): JSValueHandle {
  const handle = vm.newString(text);
  if (!handle.isString) throw new Error("out of memory");
  return handle;
}
