import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import { retry, type RetryPolicy } from "./retry.ts";

const live = new AbortController().signal;

/** A clock that does not wait, but records each requested wait. */
function setup(policy: Partial<RetryPolicy> = {}) {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonicMs: () => 0,
    async sleep(ms, signal) {
      waits.push(ms);
      signal.throwIfAborted();
    },
  };
  const whole: RetryPolicy = { attempts: 4, baseMs: 100, maxMs: 1_000, retryable: () => true, ...policy };
  const attempts: number[] = [];
  const run = (attempt: (n: number) => Promise<string>, signal = live, random = () => 1): Promise<string> =>
    retry({ clock, random }, whole, signal, (n) => {
      attempts.push(n);
      return attempt(n);
    });
  return { waits, attempts, run };
}

const failing = async (n: number): Promise<string> => {
  throw new Error(`failure ${n}`);
};

test("[K14] numbers attempts from 1 and stops at the first success", async () => {
  const { attempts, run } = setup();
  await expect(run((n) => (n < 3 ? failing(n) : Promise.resolve("ok")))).resolves.toBe("ok");
  expect(attempts).toEqual([1, 2, 3]);
});

test("[K14] throws the last error without another wait when attempts run out", async () => {
  const { attempts, waits, run } = setup({ attempts: 3 });
  await expect(run(failing)).rejects.toThrow("failure 3");
  expect(attempts).toEqual([1, 2, 3]);
  expect(waits).toHaveLength(2);
});

test("[K14] does not wait after a success at once; one attempt means no retry", async () => {
  const { waits, run } = setup();
  await run(() => Promise.resolve("ok"));
  expect(waits).toEqual([]);
  const once = setup({ attempts: 1 });
  await expect(once.run(failing)).rejects.toThrow("failure 1");
  expect(once.waits).toEqual([]);
});

test("[K15] throws an error that is not retryable at once", async () => {
  const { attempts, waits, run } = setup({ retryable: (error) => !String(error).includes("2") });
  await expect(run(failing)).rejects.toThrow("failure 2");
  expect(attempts).toEqual([1, 2]);
  expect(waits).toHaveLength(1);
});

test("[K16] the ceiling doubles up to maxMs", async () => {
  const { waits, run } = setup({ attempts: 7 });
  await expect(run(failing)).rejects.toThrow("failure 7");
  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test("[K16] the wait is the random fraction of the ceiling, for any policy", async () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const ms = fc.integer({ min: 0, max: 100_000 });
  await fc.assert(
    fc.asyncProperty(share, ms, ms, async (fraction, baseMs, maxMs) => {
      const { waits, run } = setup({ attempts: 30, baseMs, maxMs });
      await expect(run(failing, live, () => fraction)).rejects.toThrow("failure 30");
      waits.forEach((wait, index) => expect(wait).toBe(fraction * Math.min(maxMs, baseMs * 2 ** index)));
    }),
    { numRuns: 50 },
  );
});

test("[K16] the default jitter stays in bounds", async () => {
  const waits: number[] = [];
  const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async (ms) => void waits.push(ms) };
  const policy = { attempts: 200, baseMs: 8, maxMs: 8, retryable: () => true };
  await expect(retry({ clock }, policy, live, failing)).rejects.toThrow("failure 200");
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...waits)).toBeLessThan(8);
  expect(new Set(waits).size).toBeGreaterThan(100);
});

test.each([
  { asked: 750, waited: 750 },
  { asked: 0, waited: 0 },
  { asked: 60_000, waited: 1_000 },
  { asked: Number.POSITIVE_INFINITY, waited: 1_000 },
  { asked: undefined, waited: 100 },
  { asked: Number.NaN, waited: 100 },
])("[K17] asked for a wait of $asked ms, waits $waited", async ({ asked, waited }) => {
  const { waits, run } = setup({ attempts: 2, retryAfterMs: () => asked });
  await expect(run(failing)).rejects.toThrow("failure 2");
  expect(waits).toEqual([waited]);
});

test("[K18] makes no attempt if the signal is aborted", async () => {
  const { attempts, run } = setup();
  const reason = new Error("shutdown");
  await expect(run(failing, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(attempts).toEqual([]);
});

test("[K18] an abort during the wait ends it with the reason", async () => {
  const stop = new AbortController();
  const clock: Clock = {
    now: () => 0,
    monotonicMs: () => 0,
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        stop.abort(new Error("shutdown"));
      }),
  };
  const policy = { attempts: 5, baseMs: 1, maxMs: 1, retryable: () => true };
  let attempts = 0;
  const retrying = retry({ clock }, policy, stop.signal, () => failing(++attempts));
  await expect(retrying).rejects.toThrow("shutdown");
  expect(attempts).toBe(1);
});

test("[K18] makes no further attempt after an abort during one", async () => {
  const { attempts, waits, run } = setup();
  const stop = new AbortController();
  const aborted = run((n) => {
    stop.abort(new Error("shutdown"));
    return failing(n);
  }, stop.signal);
  await expect(aborted).rejects.toThrow("failure 1");
  expect([attempts, waits]).toEqual([[1], []]);
});
