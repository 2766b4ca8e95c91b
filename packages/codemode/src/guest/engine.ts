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

/** The part of the limit beyond which a failure without a reason is taken to be for want of memory. */
const FULL = 0.75;

export interface EngineLimits {
  readonly memoryBytes: number;
  readonly stackBytes: number;
}

export interface GuestHooks {
  /** The cell's logical time. */
  readonly nowMs: () => number;
  /** Asked every few thousand operations of guest code; true stops it for good, and the VM with it. */
  readonly shouldStop: () => boolean;
  /** Both handles are gone when it returns. `isHandled`: somebody caught it after all. */
  readonly onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => void;
}

export interface GuestVm {
  readonly vm: QuickJS;
  /** Whether its memory, which never shrinks, has grown close to the limit. */
  readonly isMemoryFull: () => boolean;
  /** Its memory as it is now; valid until the VM runs again. */
  readonly memory: () => Uint8Array;
}

/** A VM that goes on from a snapshot, and can only run bytecode, tell the logical time in UTC, and compute. */
export async function openGuestVm(
  module: WebAssembly.Module,
  snapshot: Snapshot,
  limits: EngineLimits,
  hooks: GuestHooks,
): Promise<GuestVm> {
  let memory: WebAssembly.Memory | undefined;
  const vm = await QuickJS.restore(snapshot, {
    wasm: module,
    wasi: (own) => {
      memory = own;
      return logicalWasi(own, hooks.nowMs);
    },
    memoryLimit: limits.memoryBytes,
    maxStackSize: stackSize(limits),
    timezoneOffset: 0,
    // Thrown through the engine, past whatever would catch it: promises swallow the engine's own interrupts.
    interruptHandler: () => {
      if (hooks.shouldStop()) throw new Error("The cell was stopped");
      return false;
    },
    onUnhandledRejection: hooks.onUnhandledRejection,
  });
  const bytes = (): Uint8Array => new Uint8Array(memory?.buffer ?? new ArrayBuffer(0));
  return { vm, isMemoryFull: () => bytes().length > limits.memoryBytes * FULL, memory: bytes };
}

export function stackSize(limits: EngineLimits): number {
  return Math.min(limits.stackBytes, MAX_STACK_SIZE);
}
