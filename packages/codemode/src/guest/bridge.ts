import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { BridgeCall, CellFailure, CellFailureCode, CellLimits } from "../sandbox.ts";
import type { CellLog } from "./cell-log.ts";
import { utf8Length } from "./utf8-length.ts";

/** What the code reported at its end. */
export interface Report {
  readonly kind: "completed" | CellFailureCode;
  /** The result as JSON, or a message. */
  readonly text: string | undefined;
  readonly stack: string;
}

/**
 * The three functions the prelude can call, and the limits on them. They never throw: an Error thrown here
 * would carry the host's own stack into the guest. Reaching a limit fails the cell for good, caught or not,
 * and the functions return false from then on.
 */
export interface Bridge {
  /** Implements the functions of that name in a VM. Call it once. */
  attach(vm: QuickJS): void;
  /** The limit that was reached, if any. */
  failure(): CellFailure | undefined;
  /** The first report since the last `takeReport`. */
  takeReport(): Report | undefined;
  /** Calls made since the last `takeCalls`. */
  takeCalls(): readonly BridgeCall[];
  /** Calls that are not closed, in order. */
  openCalls(): readonly BridgeCall[];
  /** The total number of calls. */
  callCount(): number;
  /** False if there is no such open call. */
  close(id: number): boolean;
}

/** The names under which the prelude knows them, in the order it takes them. */
export const BRIDGE_FUNCTIONS = ["call", "log", "done"] as const;

/** `before`: the calls of a cell that continues from an image. */
export function createBridge(
  limits: CellLimits,
  log: CellLog,
  before: { readonly calls: number; readonly open: readonly BridgeCall[] } = { calls: 0, open: [] },
): Bridge {
  const open = new Map(before.open.map((call) => [call.id, call]));
  let made: BridgeCall[] = [];
  let { calls } = before;
  let failure: CellFailure | undefined;
  let report: Report | undefined;

  const fail = (code: CellFailureCode, message: string): false => {
    failure ??= { code, message };
    return false;
  };

  const call = (id?: JSValueHandle, path?: JSValueHandle, input?: JSValueHandle): boolean => {
    if (failure !== undefined) return false;
    calls += 1;
    const isCall = id?.isNumber === true && path?.isString === true && input?.isString === true;
    if (!isCall || id.toNumber() !== calls) return fail("sandbox_crashed", "The bridge is out of step");
    if (calls > limits.maxCalls) return fail("call_limit", `More than ${limits.maxCalls} calls`);
    if (open.size >= limits.maxInFlight) {
      return fail("call_limit", `More than ${limits.maxInFlight} calls at once`);
    }
    const toolPath = copyText(path);
    if (toolPath === undefined) return fail("memory_limit", OUT_OF_MEMORY);
    const read = readText(input, limits.maxInputBytes);
    if (read === "too_long") {
      return fail("size_limit", `The input of ${toolPath} is larger than ${limits.maxInputBytes} bytes`);
    }
    if (read === "no_memory") return fail("memory_limit", OUT_OF_MEMORY);
    const taken = { id: calls, path: toolPath, inputJson: read.text };
    open.set(calls, taken);
    made.push(taken);
    return true;
  };

  const done = (kind?: JSValueHandle, text?: JSValueHandle, stack?: JSValueHandle): boolean => {
    if (failure !== undefined || kind?.isString !== true) return false;
    const read = text?.isString === true ? readText(text, limits.maxResultBytes) : undefined;
    if (read === "too_long") {
      return fail("size_limit", `The result is larger than ${limits.maxResultBytes} bytes`);
    }
    if (read === "no_memory") return fail("memory_limit", OUT_OF_MEMORY);
    report ??= {
      kind: kind.toString() as Report["kind"],
      text: read?.text,
      stack: (stack?.isString === true ? copyText(stack) : undefined) ?? "",
    };
    return true;
  };

  const write = (line?: JSValueHandle): boolean => {
    if (line?.isString !== true || log.isFull()) return true;
    const text = copyText(line);
    if (text === undefined) return fail("memory_limit", OUT_OF_MEMORY);
    log.write(text);
    return true;
  };

  return {
    attach(vm) {
      // Created now, because later there may be no memory for them.
      const [yes, no] = [vm.getTrue(), vm.getFalse()];
      const attempt = (work: () => boolean): boolean => {
        try {
          return work();
        } catch (error) {
          // In a browser the platform's own stack may end before the engine's does.
          if (error instanceof RangeError) return fail("stack_limit", TOO_DEEP);
          return fail("memory_limit", OUT_OF_MEMORY);
        }
      };
      const work = { call, log: write, done };
      for (const name of BRIDGE_FUNCTIONS) {
        vm.registerHostCallback(name, (...args) => (attempt(() => work[name](...args)) ? yes : no));
      }
    },
    failure: () => failure,
    takeReport() {
      const taken = report;
      report = undefined;
      return taken;
    },
    takeCalls() {
      const taken = made;
      made = [];
      return taken;
    },
    openCalls: () => [...open.values()],
    callCount: () => calls,
    close: (id) => open.delete(id),
  };
}

export const OUT_OF_MEMORY = "Out of memory";
export const TOO_DEEP = "The code is nested or recurses too deeply";

/** What the engine returns instead of a string that it has no memory to copy. */
const NOT_COPIED = "<null>";

/** A string of the guest; undefined if there is no memory to copy it. */
function copyText(handle: JSValueHandle): string | undefined {
  const text = handle.toString();
  return text === NOT_COPIED && handle.length !== NOT_COPIED.length ? undefined : text;
}

/** Checks the length before copying, so that no more than the limit ever leaves the VM. */
function readText(
  handle: JSValueHandle,
  maxBytes: number,
): { readonly text: string } | "too_long" | "no_memory" {
  if (handle.length > maxBytes) return "too_long";
  const text = copyText(handle);
  if (text === undefined) return "no_memory";
  return utf8Length(text) > maxBytes ? "too_long" : { text };
}
