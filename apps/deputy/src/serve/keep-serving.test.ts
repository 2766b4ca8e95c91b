import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { AppError } from "../app-error.ts";
import { keepServing, type Served } from "./keep-serving.ts";

type Step = "stopped" | "failed" | "renewed" | Error;

/** Rounds that end as the test says; after the last one, the next is stopped. */
function setup(steps: readonly Step[], lastsMs = 0) {
  const clock = createFakeClock();
  const stop = new AbortController();
  const told: string[] = [];
  const bugs: unknown[] = [];
  const begunAtMs: number[] = [];
  const left = [...steps];
  const serveOnce = async (onReady: () => void): Promise<Served> => {
    begunAtMs.push(clock.monotonicMs());
    const step = left.shift() ?? "stopped";
    if (step instanceof Error) throw step;
    onReady();
    if (lastsMs > 0) await clock.sleep(lastsMs, stop.signal).catch(() => undefined);
    return { kind: step };
  };
  const done = keepServing({
    serveOnce,
    clock,
    warn: (text) => told.push(text),
    onBug: (error) => bugs.push(error),
    signal: stop.signal,
  });
  /** Advances the clock until it has ended. */
  const end = async (): Promise<void> => {
    const ended = new AbortController();
    const over = done.finally(() => ended.abort());
    while (!ended.signal.aborted) {
      await setImmediate();
      await clock.advance(500);
    }
    await over;
  };
  const waits = (): number[] => begunAtMs.slice(1).map((ms, n) => ms - (begunAtMs[n] ?? 0));
  return { clock, stop, told, bugs, begunAtMs, waits, done, end };
}

const broken = (): AppError => new AppError("home_unusable", "The disk refuses", { hint: "Check it." });

test("[E407] reopens after a failed log, until it is stopped", async () => {
  const { told, begunAtMs, end } = setup(["failed", "stopped"]);
  await end();
  expect(begunAtMs).toHaveLength(2);
  expect(told).toEqual([expect.stringContaining("The log is open again")]);
});

test("[E407] while it cannot be opened, the waits grow up to a minute, and each reason is reported once", async () => {
  const other = new AppError("home_unusable", "Somebody else has it");
  const { told, waits, end } = setup(["failed", ...Array(10).fill(broken()), other, "stopped"]);
  await end();
  expect(waits()).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000,
  ]);
  expect(told).toEqual([
    "The log cannot be opened again yet: The disk refuses (home_unusable). Check it. Deputy tries again by itself, at least once a minute.",
    expect.stringContaining("Somebody else has it"),
    expect.stringContaining("The log is open again"),
  ]);
});

test("[E407] waits before retrying a log that opens and fails at once", async () => {
  const { waits, end } = setup(["failed", "failed", "failed", "failed", "stopped"]);
  await end();
  expect(waits()).toEqual([500, 1_000, 2_000, 4_000]);
});

test("[E407] resets the waits after a good minute", async () => {
  const { waits, end } = setup(["failed", "failed", "stopped"], 60_000);
  await end();
  expect(waits()).toEqual([60_500, 60_500]);
});

test("[E407] ends at once if stopped while it waits", async () => {
  const { clock, stop, begunAtMs, done } = setup(["failed", ...Array(20).fill(broken())]);
  for (let n = 0; n < 40; n++) {
    await setImmediate();
    await clock.advance(1_000);
  }
  const begun = begunAtMs.length;
  stop.abort();
  await done;
  expect(begunAtMs).toHaveLength(begun);
});

test("[E407] a failed start is a failure, and so is any error once it is ready", async () => {
  await expect(setup([broken()]).done).rejects.toMatchObject({ code: "home_unusable" });
  const bug = new Error("a bug");
  const rejected = keepServing({
    serveOnce: async (onReady) => {
      onReady();
      throw bug;
    },
    clock: createFakeClock(),
    warn: () => undefined,
    onBug: () => undefined,
    signal: new AbortController().signal,
  });
  await expect(rejected).rejects.toBe(bug);
});

test("[E407] reports an unforeseen error while reopening as a bug, and tries again", async () => {
  const { told, bugs, end } = setup(["failed", new Error("odd"), "stopped"]);
  await end();
  expect(bugs).toEqual([expect.objectContaining({ message: "odd" })]);
  expect(told.at(-1)).toContain("open again");
});

test("[E407] a round that was to begin anew is followed by the next at once, and nothing is said of a failed log", async () => {
  const { told, waits, end } = setup(["renewed", "renewed", "stopped"]);
  await end();
  expect([waits(), told]).toEqual([[0, 0], []]);
});
