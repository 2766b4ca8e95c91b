import type { Clock } from "@deputy/kit";

/**
 * Counts wrong tokens per remote address in fixed windows. Everything is synchronous, so tries sent
 * side by side cannot slip past the count.
 *
 * While an address is blocked, a right token from there is refused too: otherwise the limit would
 * not slow a guesser at all. All programs of this machine share the loopback address, so one of them
 * with a stale token can block the others, for what is left of the window and no longer: refused
 * tries are not counted again. Web pages cannot do it, since the origin check and the preflight of
 * `Authorization` stop them first; and streams already open are not touched.
 */
export interface AttemptLimiter {
  /** 0 when a token from this address may be looked at, else the milliseconds until it may. */
  blockedMs(address: string): number;
  countWrong(address: string): void;
}

export function createAttemptLimiter(deps: {
  readonly clock: Clock;
  readonly maxWrong: number;
  readonly windowMs: number;
  readonly maxAddresses: number;
}): AttemptLimiter {
  const windows = new Map<string, { readonly endsMs: number; wrong: number }>();

  const current = (address: string): { readonly endsMs: number; wrong: number } | undefined => {
    const window = windows.get(address);
    if (window === undefined || window.endsMs > deps.clock.monotonicMs()) return window;
    windows.delete(address);
    return undefined;
  };

  const open = (address: string): { readonly endsMs: number; wrong: number } => {
    const [oldest] = windows.keys();
    if (windows.size >= deps.maxAddresses && oldest !== undefined) windows.delete(oldest);
    const window = { endsMs: deps.clock.monotonicMs() + deps.windowMs, wrong: 0 };
    windows.set(address, window);
    return window;
  };

  return {
    blockedMs(address) {
      const window = current(address);
      if (window === undefined || window.wrong < deps.maxWrong) return 0;
      return window.endsMs - deps.clock.monotonicMs();
    },
    countWrong(address) {
      const window = current(address) ?? open(address);
      window.wrong += 1;
    },
  };
}
