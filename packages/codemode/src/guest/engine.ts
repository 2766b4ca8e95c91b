import {
  EvalFlags,
  Intrinsics,
  JSException,
  type JSValueHandle,
  MAX_STACK_SIZE,
  QuickJS,
} from "quickjs-wasi";
import { logicalWasi } from "./logical-wasi.ts";

/** Without `eval` and `Function` (code comes in as bytecode), and without what would show time or memory. */
const GUEST_INTRINSICS =
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
  /** Asked every few thousand operations of guest code; true stops it for good. */
  readonly shouldStop: () => boolean;
  /** Both handles are gone when it returns. `isHandled`: somebody caught it after all. */
  readonly onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => void;
}

export interface GuestVm {
  readonly vm: QuickJS;
  /** Whether its memory, which never shrinks, has grown close to the limit. */
  readonly isMemoryFull: () => boolean;
}

/** A fresh VM that can only run bytecode, tell the logical time in UTC, and compute. */
export async function createGuestVm(
  module: WebAssembly.Module,
  limits: EngineLimits,
  hooks: GuestHooks,
): Promise<GuestVm> {
  let memory: WebAssembly.Memory | undefined;
  const vm = await QuickJS.create({
    wasm: module,
    wasi: (own) => {
      memory = own;
      return logicalWasi(own, hooks.nowMs);
    },
    intrinsics: GUEST_INTRINSICS,
    memoryLimit: limits.memoryBytes,
    maxStackSize: stackSize(limits),
    timezoneOffset: 0,
    interruptHandler: hooks.shouldStop,
    onUnhandledRejection: hooks.onUnhandledRejection,
  });
  return { vm, isMemoryFull: () => (memory?.buffer.byteLength ?? 0) > limits.memoryBytes * FULL };
}

export type Compiled =
  | { readonly kind: "ok"; readonly bytecode: Uint8Array }
  /** `stack` holds the place, as of an error thrown there. */
  | { readonly kind: "syntax"; readonly message: string; readonly stack: string }
  /** The engine gave up: nested too deeply, or out of memory. */
  | { readonly kind: "gave_up"; readonly error: unknown };

/** Parses a script in a VM of its own, which never runs it, and throws that VM away. */
export async function compileScript(
  module: WebAssembly.Module,
  limits: EngineLimits,
  script: { readonly text: string; readonly file: string; readonly flags?: number },
): Promise<Compiled> {
  using vm = await QuickJS.create({
    wasm: module,
    wasi: (memory) => logicalWasi(memory, () => 0),
    memoryLimit: limits.memoryBytes,
    maxStackSize: stackSize(limits),
  });
  try {
    return { kind: "ok", bytecode: vm.compile(script.text, script.file, 0, script.flags) };
  } catch (error) {
    return explainSyntaxError(vm, script.text, script.file) ?? { kind: "gave_up", error };
  }
}

/** `compile` reports neither kind nor place of an error; evaluating in compile-only mode does. */
function explainSyntaxError(vm: QuickJS, text: string, file: string): Compiled | undefined {
  try {
    vm.evalCode(text, file, EvalFlags.COMPILE_ONLY).dispose();
  } catch (error) {
    if (error instanceof JSException && error.name === "SyntaxError") {
      return { kind: "syntax", message: error.message, stack: error.stack ?? "" };
    }
  }
  return undefined;
}

function stackSize(limits: EngineLimits): number {
  return Math.min(limits.stackBytes, MAX_STACK_SIZE);
}
