import type { Clock } from "@deputy/kit";
import { describe, expect, test } from "vitest";

/** What every clock does; `pass` lets this much time go by on it. */
export function describeClock(
  name: string,
  open: () => { readonly clock: Clock; readonly pass: (ms: number) => Promise<void> },
): void {
  const live = new AbortController().signal;

  describe(name, () => {
    test("[K4] sleep resolves once its time has passed, and not before", async () => {
      const { clock, pass } = open();
      const startedMs = clock.monotonicMs();
      let sleptMs: number | undefined;
      const sleeping = clock.sleep(40, live).then(() => {
        sleptMs = clock.monotonicMs() - startedMs;
      });
      await pass(10);
      // On a busy machine more may have passed than was asked for.
      if (clock.monotonicMs() - startedMs < 39) expect(sleptMs).toBeUndefined();
      await pass(60);
      await sleeping;
      // Timers may fire a fraction of a millisecond early.
      expect(sleptMs).toBeGreaterThanOrEqual(39);
    });

    test.each([0, -1, Number.NaN])("[K4] a sleep of %s ends at once", async (ms) => {
      await open().clock.sleep(ms, live);
    });

    test("[K5] an abort before or during a sleep rejects it with the reason", async () => {
      const { clock } = open();
      const stop = new AbortController();
      const sleeping = clock.sleep(1_000_000, stop.signal);
      stop.abort(new Error("enough"));
      await expect(sleeping).rejects.toThrow("enough");
      await expect(clock.sleep(1, stop.signal)).rejects.toThrow("enough");
    });

    test("[K6] both clocks advance, and durations agree with the wall clock", async () => {
      const { clock, pass } = open();
      const before = [clock.now(), clock.monotonicMs()] as const;
      await pass(30);
      expect(clock.now() - before[0]).toBeGreaterThanOrEqual(29);
      expect(clock.monotonicMs() - before[1]).toBeGreaterThanOrEqual(29);
    });
  });
}
