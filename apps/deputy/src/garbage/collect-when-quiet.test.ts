import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { collectWhenQuiet, FIRST_LOOK_MS, LOOK_MS, QUIET_CPU_MS } from "./collect-when-quiet.ts";

function setup() {
  const clock = createFakeClock();
  const stop = new AbortController();
  let cpuMs = 1_000;
  let collections = 0;
  const ended = collectWhenQuiet(
    {
      clock,
      cpuMs: () => cpuMs,
      async collect() {
        collections += 1;
        cpuMs += 10 * QUIET_CPU_MS;
      },
    },
    stop.signal,
  );
  ended.catch(() => {});
  return {
    stop,
    ended,
    collections: () => collections,
    /** The time until it looks again, a minute, with this much CPU time. */
    async pass(usedMs: number, lookMs = LOOK_MS) {
      cpuMs += usedMs;
      await clock.advance(lookMs);
    },
  };
}

test("[E410] the first quiet minute after work frees memory; later ones find nothing to free", async () => {
  const { pass, collections } = setup();
  await pass(QUIET_CPU_MS, FIRST_LOOK_MS);
  await pass(5_000);
  expect(collections()).toBe(0);
  for (let minute = 0; minute < 5; minute++) await pass(QUIET_CPU_MS - 1);
  expect(collections()).toBe(1);
  await pass(5_000);
  await pass(0);
  expect(collections()).toBe(2);
});

test("[E410] a start is work, and its memory is freed as soon as it is over; after that, a process that is never busy is left alone", async () => {
  const { pass, collections } = setup();
  await pass(QUIET_CPU_MS - 1, FIRST_LOOK_MS);
  expect(collections()).toBe(1);
  for (let minute = 0; minute < 5; minute++) await pass(QUIET_CPU_MS - 1);
  expect(collections()).toBe(1);
});

test("[E410] ends when told to stop", async () => {
  const { stop, ended } = setup();
  stop.abort();
  await expect(ended).rejects.toMatchObject({ name: "AbortError" });
});
