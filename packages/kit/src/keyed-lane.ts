import { abortReason, throwIfAborted, CodedError } from "./coded-error.ts";

/** Runs one job per key at a time, in order of arrival; jobs of different keys run side by side. */
export interface KeyedLane<Key> {
  /**
   * Settles as the job does. Rejects with `lane_full` when too many jobs of the key already wait,
   * and with the signal's reason when it aborts before the job begins (the job then never runs).
   * A job that waits for another of its own key waits forever.
   */
  run<T>(key: Key, signal: AbortSignal, job: () => Promise<T>): Promise<T>;
}

export function createKeyedLane<Key>(limits: { readonly maxWaiting: number }): KeyedLane<Key> {
  const lanes = new Map<Key, Set<() => void>>();

  const waitTurn = (waiting: Set<() => void>, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(go);
        reject(abortReason(signal));
      };
      waiting.add(go);
      signal.addEventListener("abort", leave, { once: true });
    });

  const handOver = (key: Key, waiting: Set<() => void>): void => {
    const [next] = waiting;
    if (next === undefined) {
      lanes.delete(key);
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    async run(key, signal, job) {
      throwIfAborted(signal);
      const busy = lanes.get(key);
      const waiting = busy ?? new Set<() => void>();
      if (busy === undefined) lanes.set(key, waiting);
      else if (busy.size >= limits.maxWaiting)
        throw new KitError("lane_full", "Too many jobs wait for their turn");
      else await waitTurn(waiting, signal);
      try {
        throwIfAborted(signal);
        return await job();
      } finally {
        handOver(key, waiting);
      }
    },
  };
}

export const kitErrorCodes = ["lane_full", "pattern_invalid"] as const;
export type KitErrorCode = (typeof kitErrorCodes)[number];

export class KitError extends CodedError<KitErrorCode> {}
