import type { CellEnd, FromGuest, Slice, ToGuest } from "../guest/messages.ts";
import type { CellFailureCode, CellOutcome, CellSpec, RunningCell } from "../sandbox.ts";
import { fitSettlement } from "./fit-settlement.ts";
import { createWatchdog } from "./watchdog.ts";

/** A worker as the host sees it, in Node or in a browser. */
export interface WorkerLink {
  post(message: ToGuest): void;
  /** Replaces what was listened to before. `onExit` comes once, for whatever reason it is gone. */
  listen(events: { readonly onMessage: (message: FromGuest) => void; readonly onExit: () => void }): void;
  /** Stops the worker whatever it is doing. Idempotent. */
  terminate(): void;
  /** Runs `check` once messages that have already arrived are delivered. */
  afterMessages(check: () => void): void;
}

/** After these a worker is not used again: its engine may be in any state. */
const SPOILING: ReadonlySet<CellFailureCode> = new Set([
  "time_limit",
  "memory_limit",
  "stack_limit",
  "aborted",
  "sandbox_crashed",
]);

/**
 * Runs one cell in an idle worker, which has run none of that number before. There is exactly one outcome whatever the worker does: answers,
 * stays silent, or dies. `onEnd` says whether the worker can be used again.
 */
export function runHostCell(
  worker: { readonly link: WorkerLink; readonly module: WebAssembly.Module; readonly cell: number },
  spec: CellSpec,
  signal: AbortSignal,
  onEnd: (state: "idle" | "gone") => void,
): RunningCell {
  const { link, module, cell } = worker;
  const { onCall, ...guestSpec } = spec;
  const { promise: outcome, resolve } = Promise.withResolvers<CellOutcome>();
  const openCalls = new Set<number>();
  const logs: string[] = [];
  let ended = false;

  const finish = (end: CellEnd): void => {
    if (ended) return;
    ended = true;
    watchdog.stop();
    signal.removeEventListener("abort", onAbort);
    const isSpoiled = end.kind === "failed" && SPOILING.has(end.failure.code);
    if (isSpoiled) link.terminate();
    onEnd(isSpoiled ? "gone" : "idle");
    resolve({ ...end, logs });
  };
  const fail = (code: CellFailureCode, message: string): void =>
    finish({ kind: "failed", failure: { code, message } });
  const onAbort = (): void => fail("aborted", "The cell was stopped");
  const watchdog = createWatchdog(link, spec.limits.cpuMs, () =>
    fail("time_limit", `It computed for over ${spec.limits.cpuMs} ms`),
  );

  const onSlice = (slice: Slice): void => {
    watchdog.answered(slice.usedMs);
    logs.push(...slice.logs);
    if (slice.end !== undefined) finish(slice.end);
    for (const call of slice.calls) {
      // Told to stop by what it learnt of an earlier call, the host wants no further ones.
      if (ended) return;
      openCalls.add(call.id);
      onCall(call);
    }
  };

  const send = (message: ToGuest): void => {
    watchdog.asked();
    link.post(message);
  };

  signal.addEventListener("abort", onAbort, { once: true });
  link.listen({
    onMessage: (message) => {
      if (!ended && message.kind === "slice" && message.cell === cell) onSlice(message.slice);
    },
    onExit: () => fail("sandbox_crashed", "The sandbox's worker died"),
  });
  send({ kind: "start", cell, module, spec: guestSpec });
  if (signal.aborted) onAbort();

  return {
    settle(id, settlement) {
      if (ended || !openCalls.delete(id)) return;
      send({ kind: "settle", cell, id, settlement: fitSettlement(settlement, spec.limits.maxResultBytes) });
    },
    outcome,
  };
}
