import type { Clock } from "@deputy/kit";
import type { DemoClock } from "./demo-clock.ts";

/** The demo's time, whose speed can change while it runs. Sleeps that go on follow it. */
export interface SwitchableClock {
  readonly clock: Clock;
  /** The one now. */
  readonly speed: number;
  /** Throws as `openDemoClock` does. */
  setSpeed(speed: number): void;
}

/** `open` gives the demo's clock at that speed, or as it was before. */
export function createSwitchableClock(
  open: (speed: number | undefined) => DemoClock,
  first: number | undefined,
): SwitchableClock {
  let current = open(first);
  let changed = new AbortController();
  let passedMs = current.clock.monotonicMs();
  let sinceMs = passedMs;
  const monotonicMs = (): number => passedMs + current.clock.monotonicMs() - sinceMs;
  return {
    get speed() {
      return current.speed;
    },
    clock: {
      now: () => current.clock.now(),
      monotonicMs,
      async sleep(ms, signal) {
        const endMs = monotonicMs() + ms;
        for (let leftMs = ms; ; leftMs = endMs - monotonicMs()) {
          const change = changed.signal;
          try {
            await current.clock.sleep(Math.max(0, leftMs), AbortSignal.any([signal, change]));
            return;
          } catch (error) {
            if (signal.aborted || !change.aborted) throw error;
          }
        }
      },
    },
    setSpeed(speed) {
      passedMs = monotonicMs();
      current = open(speed);
      sinceMs = current.clock.monotonicMs();
      const before = changed;
      changed = new AbortController();
      before.abort();
    },
  };
}
