import { abortReason, type Clock, throwIfAborted } from "@deputy/kit";
import { CodemodeError } from "../codemode-error.ts";
import type { CheckSource } from "../type-checker.ts";
import { type CheckLimits, type CheckSlot, createCheckSlot } from "./check-slot.ts";
import type { Findings } from "./typescript-process.ts";

/** Shares a few processes among all sessions. A check is sent to a process only when that one is free. */
export interface CheckPool {
  /** Rejects with `checker_busy` when too many wait, otherwise as `CheckSlot.run` does. */
  check(source: CheckSource, signal: AbortSignal): Promise<Findings>;
  /** Resolves when all processes are gone. */
  end(): Promise<void>;
}

/** Checks that may wait for their turn. */
const MAX_WAITING = 100;

/** How long one waits for a busy process that has its catalogue, before it loads it into another. */
const PATIENCE_MS = 100;

interface Waiting {
  readonly source: CheckSource;
  isPatient: boolean;
  readonly go: (slot: CheckSlot) => void;
}

export function createCheckPool(deps: {
  readonly clock: Clock;
  readonly limits: CheckLimits;
  readonly maxProcesses: number;
}): CheckPool {
  const { clock, limits } = deps;
  const waiting = new Set<Waiting>();
  const slots = Array.from({ length: deps.maxProcesses }, () =>
    createCheckSlot({ clock, limits, onFree: () => dispatch() }),
  );

  const dispatch = (): void => {
    for (const one of waiting) {
      const { declarations } = one.source;
      const slot = chooseSlot(slots, { declarations, isPatient: one.isPatient }, limits.maxCatalogues);
      if (slot === undefined) continue;
      waiting.delete(one);
      one.go(slot);
    }
  };

  /** Calls `run` on a slot in the same turn in which it was found free. */
  const onSlot = (source: CheckSource, signal: AbortSignal): Promise<Findings> =>
    new Promise((resolve, reject) => {
      const patience = new AbortController();
      const leave = (): void => {
        waiting.delete(one);
        patience.abort();
        reject(abortReason(signal));
      };
      const one: Waiting = {
        source,
        isPatient: true,
        go(slot) {
          signal.removeEventListener("abort", leave);
          patience.abort();
          resolve(slot.run(source, signal));
        },
      };
      waiting.add(one);
      dispatch();
      if (!waiting.has(one)) return;
      signal.addEventListener("abort", leave, { once: true });
      clock.sleep(PATIENCE_MS, patience.signal).then(() => {
        one.isPatient = false;
        dispatch();
      }, noop);
    });

  return {
    async check(source, signal) {
      throwIfAborted(signal);
      if (waiting.size >= MAX_WAITING)
        throw new CodemodeError("checker_busy", "Too many programs wait to be checked");
      return await onSlot(source, signal);
    },
    async end() {
      await Promise.all(slots.map((slot) => slot.end()));
    },
  };
}

/** For a wait that was cut short: whoever cut it knows. */
function noop(): void {}

/** What the choice depends on. */
export type SlotState = Pick<CheckSlot, "isBusy" | "catalogues" | "has">;

/**
 * Where a check goes now, if anywhere. First choice is a free process that has its catalogue. While a
 * busy one has it, a patient check waits. Then the free process with fewest catalogues, a new one before
 * one that must give a catalogue up.
 */
export function chooseSlot<Slot extends SlotState>(
  slots: readonly Slot[],
  check: { readonly declarations: string; readonly isPatient: boolean },
  maxCatalogues: number,
): Slot | undefined {
  const free = slots.filter((slot) => !slot.isBusy);
  const loaded = free.find((slot) => slot.has(check.declarations));
  if (loaded !== undefined) return loaded;
  if (check.isPatient && slots.some((slot) => slot.isBusy && slot.has(check.declarations))) return undefined;
  const cost = ({ catalogues }: Slot): number => catalogues ?? maxCatalogues - 0.5;
  return free.toSorted((a, b) => cost(a) - cost(b))[0];
}
