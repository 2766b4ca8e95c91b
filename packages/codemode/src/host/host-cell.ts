import type { CellEnd, FromGuest, Slice, ToGuest } from "../guest/messages.ts";
import type {
  CellFailureCode,
  CellImage,
  CellOutcome,
  CellSpec,
  RunningCell,
  Settlement,
} from "../sandbox.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";
import type { Lease } from "./worker-pool.ts";
import { utf8Length } from "../guest/utf8-length.ts";

/** The limit for an error's message, which is for reading. */
const MAX_MESSAGE_CHARS = 8_000;

/** A larger body of an error is left out: its message says the most. */
const MAX_BODY_BYTES = 256 * 1024;

/** After these failures a worker is not used again: its engine may be in any state. */
const SPOILING: ReadonlySet<CellFailureCode> = new Set([
  "time_limit",
  "memory_limit",
  "stack_limit",
  "aborted",
  "sandbox_crashed",
]);

/** The longest time for saving or restoring the largest image. */
const IMAGE_MS = 10_000;

/** Where the cell's workers come from. */
export interface Lender {
  lease(giveUp: () => void, signal: AbortSignal): Promise<Lease>;
}

/** A cell that has a worker. */
interface Awake {
  readonly lease: Lease;
  readonly watchdog: Watchdog;
  /** True once it has answered; until then it accepts no settlements. */
  hasStarted: boolean;
  /** Messages that the worker has not answered yet. */
  unanswered: number;
  /** Callbacks for when the worker has sent the requested image. */
  readonly leaving: ((image: CellImage | undefined) => void)[];
}

/**
 * Runs one cell in any worker of the pool; a sleeping cell has none. There is exactly one outcome whether a
 * worker answers, stays silent, or dies.
 */
export function runHostCell(lender: Lender, spec: CellSpec, signal: AbortSignal): RunningCell {
  const { onCall, image: firstImage, ...guestSpec } = spec;
  const { promise: outcome, resolve } = Promise.withResolvers<CellOutcome>();
  const openCalls = new Set<number>();
  /** Calls that `onCall` already got; an image reports them again. */
  let told = 0;
  const logs: string[] = [];
  /** Settlements that came while there was no worker. */
  const waiting: { readonly id: number; readonly settlement: Settlement }[] = [];
  let image = firstImage;
  /** True if this cell itself was put to sleep; its earlier log lines are known. */
  let isOwnImage = false;
  let usedMs = 0;
  let awake: Awake | undefined;
  let ended = false;
  /** Callbacks for when the code waits or has ended. */
  const listeners: ((state: "waiting" | "ended") => void)[] = [];
  const tellQuiet = (state: "waiting" | "ended"): void => {
    for (const tell of listeners.splice(0)) tell(state);
  };

  const finish = (end: CellEnd): void => {
    if (ended) return;
    ended = true;
    signal.removeEventListener("abort", onAbort);
    const isSpoiled = end.kind === "failed" && SPOILING.has(end.failure.code);
    if (isSpoiled) awake?.lease.link.terminate();
    letGo(isSpoiled ? "gone" : "idle", undefined);
    resolve({ ...end, logs });
    tellQuiet("ended");
  };
  const fail = (code: CellFailureCode, message: string): void =>
    finish({ kind: "failed", failure: { code, message } });
  const onAbort = (): void => fail("aborted", "The cell was stopped");

  const letGo = (state: "idle" | "gone", left: CellImage | undefined): void => {
    const was = awake;
    if (was === undefined) return;
    awake = undefined;
    was.watchdog.stop();
    was.lease.release(state);
    for (const tell of was.leaving) tell(left);
  };

  const send = (to: Awake, message: ToGuest): void => {
    to.unanswered += 1;
    to.lease.setWaiting(false);
    // Saving and restoring takes the sandbox's time, not the cell's.
    const isOurs = message.kind === "leave" || (message.kind === "start" && message.image !== undefined);
    to.watchdog.asked(isOurs ? IMAGE_MS : 0);
    to.lease.link.post(message);
  };
  const answered = (from: Awake): void => {
    from.unanswered -= 1;
    from.watchdog.answered(usedMs);
    if (!ended && from.unanswered === 0) from.lease.setWaiting(true);
  };
  const sendSettlement = (to: Awake, id: number, settlement: Settlement): void =>
    send(to, { kind: "settle", cell: to.lease.cell, id, settlement });

  const onSlice = (slice: Slice, from: Awake): void => {
    usedMs = slice.usedMs;
    // A woken cell reports its log from the beginning.
    const areKnown = isOwnImage && !from.hasStarted;
    if (!areKnown) for (const line of slice.logs) logs.push(line);
    if (slice.end !== undefined) finish(slice.end);
    from.hasStarted = true;
    // Sent before the cell counts as waiting, because a waiting cell may be asked to leave at once.
    if (!ended) for (const { id, settlement } of waiting.splice(0)) sendSettlement(from, id, settlement);
    answered(from);
    for (const call of slice.calls) {
      // If an earlier call made the host stop, it wants no further ones.
      if (ended) return;
      if (call.id <= told) continue;
      told = call.id;
      openCalls.add(call.id);
      onCall(call);
    }
    if (isWaiting()) tellQuiet("waiting");
  };
  /** True if it is asleep, or every message was answered. */
  const isWaiting = (): boolean =>
    !ended && waiting.length === 0 && (awake === undefined ? !waking : awake.unanswered === 0);
  const onLeft = (left: CellImage): void => {
    image = left;
    isOwnImage = true;
    // A settlement came meanwhile that this image does not contain.
    letGo("idle", waiting.length > 0 ? undefined : left);
    if (waiting.length > 0) void wake();
    else tellQuiet("waiting");
  };
  const onMessage = (message: FromGuest, from: Awake): void => {
    if (awake !== from || message.kind === "ready" || message.cell !== from.lease.cell) return;
    if (message.kind === "slice") onSlice(message.slice, from);
    else onLeft(message.image);
  };

  let waking = false;
  const wake = async (): Promise<void> => {
    if (waking) return;
    waking = true;
    try {
      const lease = await lender.lease(() => void hibernate(), signal);
      waking = false;
      if (ended) lease.release("idle");
      else open(lease);
    } catch {
      if (signal.aborted) onAbort();
      else fail("sandbox_crashed", "The sandbox could not be started");
    }
  };
  const open = (lease: Lease): void => {
    const watchdog = createWatchdog(lease.link, spec.limits.cpuMs, usedMs, () =>
      fail("time_limit", `It computed for over ${spec.limits.cpuMs} ms`),
    );
    const opened: Awake = { lease, watchdog, hasStarted: false, unanswered: 0, leaving: [] };
    awake = opened;
    lease.link.listen({
      onMessage: (message) => onMessage(message, opened),
      onExit: () => {
        if (awake === opened) fail("sandbox_crashed", "The sandbox's worker died");
      },
    });
    send(opened, { kind: "start", cell: lease.cell, engine: lease.engine, spec: guestSpec, image });
    image = undefined;
  };

  const hibernate = async (): Promise<CellImage | undefined> => {
    if (waiting.length > 0) return undefined;
    if (awake === undefined) return waking || ended ? undefined : image;
    const { lease, leaving, unanswered } = awake;
    if (leaving.length === 0) {
      if (unanswered > 0) return undefined;
      send(awake, { kind: "leave", cell: lease.cell });
    }
    return new Promise((tell) => leaving.push(tell));
  };

  if (signal.aborted) onAbort();
  else {
    signal.addEventListener("abort", onAbort, { once: true });
    void wake();
  }

  return {
    settle(id, given) {
      if (ended || !openCalls.delete(id)) return;
      const settlement = fitSettlement(given, spec.limits.maxResultBytes);
      if (awake?.hasStarted === true && awake.leaving.length === 0) {
        sendSettlement(awake, id, settlement);
        return;
      }
      waiting.push({ id, settlement });
      if (awake === undefined) void wake();
    },
    hibernate,
    async quiet() {
      if (ended) return "ended";
      return isWaiting() ? "waiting" : new Promise((tell) => listeners.push(tell));
    },
    outcome,
  };
}

/** A result beyond the limit becomes an error that the code can catch: the call itself has happened. */
function fitSettlement(settlement: Settlement, maxBytes: number): Settlement {
  if (settlement.kind === "error") {
    const { bodyJson = "" } = settlement;
    const isBodySmall = utf8Length(bodyJson) <= Math.min(maxBytes, MAX_BODY_BYTES);
    return {
      ...settlement,
      message: settlement.message.slice(0, MAX_MESSAGE_CHARS),
      bodyJson: isBodySmall ? settlement.bodyJson : undefined,
    };
  }
  if (utf8Length(settlement.json) <= maxBytes) return settlement;
  const message = `The result is larger than ${maxBytes} bytes; ask for less`;
  return { kind: "error", code: "size_limit", message, atMs: settlement.atMs };
}
