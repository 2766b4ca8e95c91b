import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { BridgeCall, CellFailure, CellFailureCode, CellLimits } from "../sandbox.ts";
import type { CellLog } from "./cell-log.ts";
import { utf8Length } from "./utf8-length.ts";

/** What the code said when it ended. */
export interface Report {
  readonly kind: "completed" | CellFailureCode;
  /** The result as JSON, or a message. */
  readonly text: string | undefined;
  readonly stack: string;
}

/**
 * The three functions the prelude can call, and the limits on them. They never throw: an Error thrown
 * here would carry the host's own stack into the guest. A limit reached fails the cell for good, caught
 * or not, and the functions answer false from then on.
 */
export interface Bridge {
  /** Makes the functions in a VM. Once. */
  install(vm: QuickJS): Record<"call" | "log" | "done", JSValueHandle>;
  /** The limit that was reached, if any. */
  failure(): CellFailure | undefined;
  /** The first report since the last `takeReport`. */
  takeReport(): Report | undefined;
  /** Calls made since the last `takeCalls`. */
  takeCalls(): readonly BridgeCall[];
  /** The paths of calls that are not closed. */
  openCalls(): readonly string[];
  /** False when there is no such open call. */
  close(id: number): boolean;
}

export function createBridge(limits: CellLimits, log: CellLog): Bridge {
  const open = new Map<number, string>();
  let made: BridgeCall[] = [];
  let calls = 0;
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
    const read = readText(input, limits.maxInputBytes);
    const toolPath = path.toString();
    if (read === "too_long") {
      return fail("size_limit", `The input of ${toolPath} is larger than ${limits.maxInputBytes} bytes`);
    }
    if (read === "no_memory") return fail("memory_limit", OUT_OF_MEMORY);
    open.set(calls, toolPath);
    made.push({ id: calls, path: toolPath, inputJson: read.text });
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
      stack: stack?.isString === true ? stack.toString() : "",
    };
    return true;
  };

  const write = (line?: JSValueHandle): boolean => {
    if (line?.isString === true && !log.isFull()) log.write(line.toString());
    return true;
  };

  return {
    install(vm) {
      // Made now: later there may be no memory for them.
      const [yes, no] = [vm.true, vm.false];
      const attempt = (work: () => boolean): boolean => {
        try {
          return work();
        } catch {
          return fail("memory_limit", OUT_OF_MEMORY);
        }
      };
      const bind = (name: string, work: (...args: JSValueHandle[]) => boolean): JSValueHandle =>
        vm.newFunction(name, (...args) => (attempt(() => work(...args)) ? yes : no));
      return { call: bind("call", call), log: bind("log", write), done: bind("done", done) };
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
    close: (id) => open.delete(id),
  };
}

export const OUT_OF_MEMORY = "Out of memory";

/** What the engine gives instead of a string that it has no memory to copy out. */
const NOT_COPIED = "<null>";

/** Asks for the length before copying anything out, so that no more than the limit ever leaves the VM. */
function readText(
  handle: JSValueHandle,
  maxBytes: number,
): { readonly text: string } | "too_long" | "no_memory" {
  if (handle.length > maxBytes) return "too_long";
  const text = handle.toString();
  if (text === NOT_COPIED && handle.length !== NOT_COPIED.length) return "no_memory";
  return utf8Length(text) > maxBytes ? "too_long" : { text };
}
