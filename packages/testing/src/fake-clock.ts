import { setImmediate } from "node:timers/promises";
import { abortReason, type Clock } from "@deputy/kit";

/** A clock that stands still until it is advanced. */
export interface FakeClock extends Clock {
  /**
   * Advances both times and wakes sleepers in the order they are due; each runs, and may sleep again, before
   * time goes further. Without sleepers the time has moved when this returns.
   */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock, as a person or a time server would; wakes nobody and leaves `monotonicMs`. */
  setWall(ms: number): void;
  /** How many are asleep now. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** 2025-01-01T00:00:00Z: any fixed day will do. */
const START_MS = 1_735_689_600_000;
/** Turns of the event loop in which woken code can run. */
const SETTLE_TURNS = 4;

export function createFakeClock(options: { readonly startMs?: number } = {}): FakeClock {
  const sleepers = new Set<Sleeper>();
  let elapsedMs = 0;
  let wallAheadMs = options.startMs ?? START_MS;

  const nextDue = (untilMs: number): Sleeper | undefined => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (sleeper.dueMs <= untilMs && (first === undefined || sleeper.dueMs < first.dueMs)) first = sleeper;
    }
    return first;
  };

  return {
    now: () => wallAheadMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(abortReason(signal));
        if (!(ms > 0)) return resolve();
        const sleeper = {
          dueMs: elapsedMs + ms,
          wake() {
            sleepers.delete(sleeper);
            signal.removeEventListener("abort", stop);
            resolve();
          },
        };
        const stop = (): void => {
          sleepers.delete(sleeper);
          reject(abortReason(signal));
        };
        sleepers.add(sleeper);
        return signal.addEventListener("abort", stop, { once: true });
      }),
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      for (let due = nextDue(untilMs); due !== undefined; due = nextDue(untilMs)) {
        elapsedMs = Math.max(elapsedMs, due.dueMs);
        due.wake();
        await settle();
      }
      elapsedMs = untilMs;
      await settle();
    },
    setWall(ms) {
      wallAheadMs = ms - elapsedMs;
    },
    get sleepers() {
      return sleepers.size;
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn++) await setImmediate();
}
