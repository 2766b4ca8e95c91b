import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

const live = new AbortController().signal;

function setup() {
  const clock = createFakeClock();
  const state = { isBusy: true, isUrgent: false, pieces: 0 };
  const pace = createPace({ clock, isBusy: () => state.isBusy, share: 0.1 });
  /** Works for as long as it may, in pieces of `ms`. */
  const workOn = async (ms: number, signal: AbortSignal): Promise<void> => {
    for (;;) {
      await pace.ready(signal, () => state.isUrgent);
      await pace.count(() => clock.sleep(ms, signal));
      state.pieces++;
    }
  };
  const start = (ms: number) => {
    const end = new AbortController();
    const ended = workOn(ms, end.signal).catch(() => undefined);
    return async () => {
      end.abort();
      await ended;
    };
  };
  const pass = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 10) await clock.advance(10);
  };
  return { clock, state, pace, start, pass };
}

test.each([10, 100, 700])(
  "[K39] while something goes on, pieces of %i ms take a tenth of the time",
  async (ms) => {
    const { state, start, pass } = setup();
    const stop = start(ms);
    await pass(30_000);
    await stop();
    const share = (state.pieces * ms) / 30_000;
    expect(share).toBeGreaterThan(0.07);
    expect(share).toBeLessThan(0.12);
  },
);

test("[K39] short pauses of what goes on do not count", async () => {
  const { state, start, pass } = setup();
  const stop = start(50);
  for (let at = 0; at < 200; at++) {
    state.isBusy = !state.isBusy;
    await pass(100);
  }
  await stop();
  expect((state.pieces * 50) / 20_000).toBeLessThan(0.11);
});

test("[K39] a little is done at once, and everything while nothing else goes on", async () => {
  const { state, start, pass } = setup();
  const stop = start(10);
  await pass(100);
  expect(state.pieces).toBeGreaterThanOrEqual(9);
  state.isBusy = false;
  await pass(2_000);
  const before = state.pieces;
  await pass(1_000);
  expect(state.pieces - before).toBeGreaterThan(90);
  await stop();
});

test("[K39] a wait ends soon after the other work does, or when it becomes urgent, or with its signal", async () => {
  const { clock, state, pace, pass } = setup();
  const owe = async () => {
    const work = pace.count(() => clock.sleep(5_000, live));
    await pass(5_000);
    await work;
  };
  const isReady = async (change: () => void, withinMs: number) => {
    let done = false;
    const ready = pace.ready(live, () => state.isUrgent).then(() => (done = true));
    await pass(1_000);
    expect(done).toBe(false);
    change();
    await pass(withinMs);
    expect(done).toBe(true);
    await ready;
  };
  await owe();
  await isReady(() => (state.isBusy = false), 1_110);
  state.isBusy = true;
  await owe();
  await isReady(() => (state.isUrgent = true), 110);
  state.isUrgent = false;
  const end = new AbortController();
  const waits = pace.ready(end.signal);
  end.abort(new Error("enough"));
  await expect(waits).rejects.toThrow("enough");
});

test("[K39] quiet is once nothing has gone on for a while", async () => {
  const { state, pace, pass } = setup();
  let isQuiet = false;
  const waited = pace.quiet(live).then(() => (isQuiet = true));
  await pass(10_000);
  expect(isQuiet).toBe(false);
  state.isBusy = false;
  await pass(2_500);
  expect(isQuiet).toBe(true);
  await waited;
  await expect(pace.quiet(AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
});
