import { JSException } from "quickjs-wasi";
import type { BridgeCall, CellFailure } from "../sandbox.ts";
import { OUT_OF_MEMORY, TOO_DEEP } from "./bridge.ts";
import type { CellVm } from "./cell-vm.ts";
import { lineOfStack } from "./line-of-stack.ts";
import type { CellEnd } from "./messages.ts";

/** How a cell without jobs has ended; undefined if it waits for a call. */
export function conclude(vm: CellVm, code: string): CellEnd | undefined {
  const { bridge } = vm;
  const report = bridge.takeReport();
  const open = bridge.openCalls();
  if (report === undefined) {
    if (open.length > 0) return undefined;
    // It may also have ended without memory to report it.
    if (vm.isMemoryFull()) return failed("memory_limit", OUT_OF_MEMORY);
    return failed("stalled", "The code waits for something that is no tool call, and will never happen");
  }
  // Without memory even for an Error, the engine throws null.
  if (report.kind === "threw" && report.text === "null" && vm.isMemoryFull()) {
    return failed("memory_limit", OUT_OF_MEMORY);
  }
  if (report.kind !== "completed") return failed(report.kind, report.text ?? "", report.stack, code);
  if (open.length > 0) {
    const message = describeUnawaited(open, bridge.takeCalls());
    return failed("unawaited_calls", message, vm.firstOpenStack(), code);
  }
  if (vm.reportUnhandled()) {
    const rejected = bridge.takeReport();
    const message = `A promise that nobody awaited was rejected: ${rejected?.text ?? ""}`;
    const kind = rejected === undefined || rejected.kind === "completed" ? "threw" : rejected.kind;
    return failed(kind, message, rejected?.stack, code);
  }
  return { kind: "completed", resultJson: report.text };
}

/** The prelude's limit for a message. */
const MAX_MESSAGE_CHARS = 4_000;

/** Classifies what the engine threw, where it is caught; its errors have no codes. */
export function explainCrash(error: unknown, isMemoryFull: boolean): CellFailure {
  const message = error instanceof Error ? error.message.slice(0, MAX_MESSAGE_CHARS) : "";
  // Without memory even for an Error, the engine throws null.
  if (/out of memory|wasm_malloc failed/.test(message) || (isMemoryFull && /\bnull\b/.test(message))) {
    return { code: "memory_limit", message: OUT_OF_MEMORY };
  }
  if (/Maximum call stack size exceeded/.test(message)) {
    return { code: "stack_limit", message: TOO_DEEP };
  }
  if (error instanceof JSException) return { code: "threw", message };
  return { code: "sandbox_crashed", message: "The sandbox failed" };
}

/** `never`: calls since the code last waited; nobody will hear of them. The others are stopped, wherever they are. */
function describeUnawaited(open: readonly BridgeCall[], never: readonly BridgeCall[]): string {
  const ids = new Set(never.map(({ id }) => id));
  const list = (calls: readonly BridgeCall[]): string => listPaths(calls.map(({ path }) => path));
  const [notRun, stopped] = [open.filter(({ id }) => ids.has(id)), open.filter(({ id }) => !ids.has(id))];
  return [
    "The code ended before calls that it did not await.",
    ...(notRun.length === 0 ? [] : [`These did not run: ${list(notRun)}.`]),
    ...(stopped.length === 0 ? [] : [`These were stopped, and may have had effects: ${list(stopped)}.`]),
    "Await every call.",
  ].join(" ");
}

const MAX_LISTED = 5;

function listPaths(paths: readonly string[]): string {
  const listed = paths.slice(0, MAX_LISTED).join(", ");
  return paths.length > MAX_LISTED ? `${listed} and ${paths.length - MAX_LISTED} more` : listed;
}

function failed(code: CellFailure["code"], message: string, stack = "", source = ""): CellEnd {
  return { kind: "failed", failure: { code, message, ...lineOfStack(source, stack) } };
}
