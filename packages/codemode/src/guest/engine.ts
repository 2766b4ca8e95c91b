import { Intrinsics, type JSValueHandle, MAX_STACK_SIZE, QuickJS, type Snapshot } from "quickjs-wasi";
import { logicalWasi } from "./logical-wasi.ts";

/** Without `eval` and `Function` (code comes in as bytecode), and without what would show time or memory. */
export const GUEST_INTRINSICS =
  Intrinsics.DATE |
  Intrinsics.REGEXP |
  Intrinsics.JSON |
  Intrinsics.PROXY |
  Intrinsics.MAP_SET |
  Intrinsics.TYPED_ARRAYS |
  Intrinsics.PROMISE |
  Intrinsics.BIG_INT;

/** Above this share of the limit, a failure without a reason counts as a lack of memory. */
const FULL = 0.75;

export interface EngineLimits {
  readonly memoryBytes: number;
  readonly stackBytes: number;
}

export interface GuestHooks {
  /** The cell's logical time. */
  readonly nowMs: () => number;
  /** Called every few thousand operations of guest code; true stops the code and the VM for good. */
  readonly shouldStop: () => boolean;
  /** Both handles are invalid after it returns. `isHandled`: the rejection was handled after all. */
  readonly onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => void;
}

export interface GuestVm {
  readonly vm: QuickJS;
  /** Assigns the VM to a cell; nothing may run in it before. */
  attach(hooks: GuestHooks): void;
  /** True if its memory, which never shrinks, has come close to the limit. */
  readonly isMemoryFull: () => boolean;
  /** Its memory as it is now; valid until the VM runs again. */
  readonly memory: () => Uint8Array;
  /** Call it once, at the end. `whole`: every call into it has returned, so that it could be reused. */
  release(state: "whole" | "broken"): void;
}

/** A VM that continues from a snapshot, and can only run bytecode, tell the logical time in UTC, and compute. */
export async function openGuestVm(
  module: WebAssembly.Module,
  snapshot: Snapshot,
  limits: EngineLimits,
): Promise<GuestVm> {
  let memory: WebAssembly.Memory | undefined;
  let hooks = NO_HOOKS;
  const vm = await QuickJS.restore(snapshot, {
    wasm: module,
    wasi: (own) => {
      memory = own;
      return logicalWasi(own, () => hooks.nowMs());
    },
    memoryLimit: limits.memoryBytes,
    maxStackSize: stackSize(limits),
    timezoneOffset: 0,
    // Thrown through the engine so that nothing catches it: promises swallow the engine's own interrupts.
    interruptHandler: () => {
      if (hooks.shouldStop()) throw new Error("The cell was stopped");
      return false;
    },
    onUnhandledRejection: (...rejection) => hooks.onUnhandledRejection(...rejection),
  });
  const bytes = (): Uint8Array => new Uint8Array(memory?.buffer ?? new ArrayBuffer(0));
  return {
    vm,
    attach(next) {
      hooks = next;
    },
    isMemoryFull: () => bytes().length > limits.memoryBytes * FULL,
    memory: bytes,
    release: () => vm.dispose(),
  };
}

const NO_HOOKS: GuestHooks = { nowMs: () => 0, shouldStop: () => true, onUnhandledRejection: () => {} };

export function sameLimits(a: EngineLimits, b: EngineLimits): boolean {
  return a.memoryBytes === b.memoryBytes && a.stackBytes === b.stackBytes;
}

export function stackSize(limits: EngineLimits): number {
  return Math.min(limits.stackBytes, MAX_STACK_SIZE);
}
