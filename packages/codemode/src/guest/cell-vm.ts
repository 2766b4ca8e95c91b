import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { CellLimits, Settlement } from "../sandbox.ts";
import type { BaseImage, PreludeFunction } from "./base-image.ts";
import { type Bridge, createBridge } from "./bridge.ts";
import type { CellState } from "./cell-image.ts";
import type { CellLog } from "./cell-log.ts";
import type { CpuMeter } from "./cpu-meter.ts";
import type { GuestVm } from "./engine.ts";
import type { GuestSpec } from "./messages.ts";
import { createUnhandledRejections, NO_REJECTIONS } from "./unhandled-rejections.ts";
import type { VmSource } from "./vm-source.ts";
import { arrangeTools, type ToolNode } from "../declarations/tool-tree.ts";

/** A VM with the prelude in place. Methods that run guest code may throw what the engine throws. */
export interface CellVm {
  readonly bridge: Bridge;
  /** True if the VM has ever come close to its limit. */
  isMemoryFull(): boolean;
  /** Starts the cell's function. */
  run(bytecode: Uint8Array): void;
  /** An unknown or closed id is ignored. */
  settle(id: number, settlement: Settlement): void;
  /** Runs jobs until none is left. */
  pump(): void;
  /**
   * False if every rejection was handled; otherwise makes the oldest one the bridge's report, if it is still
   * known.
   */
  reportUnhandled(): boolean;
  /** Where the oldest open call was made. */
  firstOpenStack(): string;
  /** Only for a waiting cell; the memory is valid until it runs again. */
  save(): { readonly state: CellState; readonly memory: Uint8Array };
  /** As `GuestVm.release`. */
  release(state: "whole" | "broken"): void;
}

interface Surroundings {
  readonly base: BaseImage;
  readonly vms: VmSource;
  readonly limits: CellLimits;
  readonly log: CellLog;
  readonly meter: CpuMeter;
}

/** The VM of a new cell. */
export async function openCellVm(around: Surroundings, spec: GuestSpec): Promise<CellVm> {
  const fresh = { calls: 0, open: [], logicalMs: spec.startedAtMs, rejections: NO_REJECTIONS };
  const { vm, call, cell } = goOn(around, await around.vms.open(spec.limits), fresh);
  using tools = newText(vm, packTools(spec.toolPaths));
  using seed = vm.newNumber(spec.seed);
  using maxLogChars = vm.newNumber(spec.limits.maxLogBytes);
  call("open", tools, seed, maxLogChars).dispose();
  return cell;
}

/** The VM of a saved cell, from its memory's delta; undefined if it cannot be one. */
export async function reopenCellVm(
  around: Surroundings,
  state: CellState,
  delta: Uint8Array,
): Promise<CellVm | undefined> {
  const guest = await around.vms.reopen(around.limits, { limits: state.limits, delta });
  return guest === undefined ? undefined : goOn(around, guest, state).cell;
}

type Before = Pick<CellState, "calls" | "open" | "logicalMs" | "rejections">;

function goOn({ base, limits, log, meter }: Surroundings, guest: GuestVm, before: Before) {
  const { vm } = guest;
  const rejections = createUnhandledRejections();
  const bridge = createBridge(limits, log, before);
  let { logicalMs } = before;
  guest.attach({
    nowMs: () => logicalMs,
    shouldStop: () => meter.isSpent() || bridge.failure() !== undefined,
    onUnhandledRejection: rejections.note,
  });
  bridge.attach(vm);
  rejections.restore(vm, before.rejections);
  const [nothing, yes, no] = [vm.getUndefined(), vm.getTrue(), vm.getFalse()];
  const call = (name: PreludeFunction, ...args: JSValueHandle[]): JSValueHandle => {
    using callee = vm.importHandle(base.prelude[name]);
    return vm.callFunction(callee, nothing, ...args);
  };

  const cell: CellVm = {
    bridge,
    isMemoryFull: guest.isMemoryFull,
    run(bytecode) {
      using body = vm.evalBytecode(bytecode);
      call("run", body).dispose();
    },
    settle(id, settlement) {
      if (!bridge.close(id)) return;
      logicalMs = Math.max(logicalMs, settlement.atMs);
      const isOk = settlement.kind === "ok";
      using number = vm.newNumber(id);
      using text = newText(vm, isOk ? settlement.json : settlement.message);
      using code = newText(vm, isOk ? "" : settlement.code);
      using body = newText(vm, isOk ? "" : (settlement.bodyJson ?? ""));
      using status = vm.newNumber(isOk ? 0 : (settlement.status ?? 0));
      call("settle", number, isOk ? yes : no, text, code, status, body).dispose();
    },
    pump: () => void vm.executePendingJobs(),
    reportUnhandled() {
      const reason = rejections.first();
      if (reason === undefined) return false;
      if (reason !== "forgotten") call("fail", reason).dispose();
      return true;
    },
    firstOpenStack() {
      using stack = call("firstOpenStack");
      return stack.isString ? stack.toString() : "";
    },
    save: () => ({
      state: {
        limits: { memoryBytes: limits.memoryBytes, stackBytes: limits.stackBytes },
        calls: bridge.callCount(),
        open: bridge.openCalls(),
        logicalMs,
        usedMs: meter.usedMs(),
        log: log.save(),
        rejections: rejections.save(vm),
      },
      memory: guest.memory(),
    }),
    release: guest.release,
  };
  return { vm, call, cell };
}

/** Throws if the VM has no memory for it; the engine itself would return something that is not a string. */
function newText(vm: QuickJS, text: string): JSValueHandle {
  const handle = vm.newString(text);
  if (!handle.isString) throw new Error("out of memory");
  return handle;
}

type Node = ToolNode<{ readonly path: string }>;

/**
 * The tree of tools in the prelude's form: pairs of a first name and the JSON of its branch, so that a cell
 * pays only for the tools it touches.
 */
function packTools(paths: readonly string[]): string {
  const tree = arrangeTools(paths.map((path) => ({ path })));
  return JSON.stringify([...tree.children].map(([name, node]) => [name, JSON.stringify(pack(node))]));
}

function pack(node: Node): readonly unknown[] {
  return [node.tool?.path ?? null, ...[...node.children].flatMap(([name, child]) => [name, pack(child)])];
}
