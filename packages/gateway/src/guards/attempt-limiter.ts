import type { Clock } from "@deputy/kit";

/**
 * Counts wrong tries per client in fixed windows. Everything is synchronous, so tries sent side by side cannot slip
 * past the count. Refused tries are not counted again, so a block ends with its window.
 */
export interface AttemptLimiter {
  /** True if there were no wrong tries lately: then nobody is blocked. */
  isQuiet(): boolean;
  /** 0 if this client's token may be checked, otherwise the milliseconds until it may. */
  blockedMs(client: string): number;
  countWrong(client: string): void;
  /** True once a second for a blocked client: one more try may then be checked. */
  takeSpare(client: string): boolean;
}

const SPARE_MS = 1_000;

interface Window {
  readonly endsMs: number;
  wrong: number;
  spareAtMs: number;
}

export function createAttemptLimiter(deps: {
  readonly clock: Clock;
  readonly maxWrong: number;
  readonly windowMs: number;
  readonly maxAddresses: number;
}): AttemptLimiter {
  const windows = new Map<string, Window>();

  const current = (client: string): Window | undefined => {
    const window = windows.get(client);
    if (window === undefined || window.endsMs > deps.clock.monotonicMs()) return window;
    windows.delete(client);
    return undefined;
  };

  const open = (client: string): Window => {
    const [oldest] = windows.keys();
    if (windows.size >= deps.maxAddresses && oldest !== undefined) windows.delete(oldest);
    const window = { endsMs: deps.clock.monotonicMs() + deps.windowMs, wrong: 0, spareAtMs: 0 };
    windows.set(client, window);
    return window;
  };

  return {
    isQuiet: () => windows.size === 0,
    blockedMs(client) {
      const window = current(client);
      if (window === undefined || window.wrong < deps.maxWrong) return 0;
      return window.endsMs - deps.clock.monotonicMs();
    },
    countWrong(client) {
      const window = current(client) ?? open(client);
      window.wrong += 1;
    },
    takeSpare(client) {
      const window = current(client);
      const nowMs = deps.clock.monotonicMs();
      if (window === undefined || window.spareAtMs > nowMs) return false;
      window.spareAtMs = nowMs + SPARE_MS;
      return true;
    },
  };
}
