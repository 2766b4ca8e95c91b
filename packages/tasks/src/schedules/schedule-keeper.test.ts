import { createIdSource, createSystemClock, type TaskId } from "@deputy/kit";
import type { ScheduleInput } from "@deputy/protocol";
import { createFakeClock, type FakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { lastSlotOf, type SlotDecision } from "./decide-slots.ts";
import { nextSlots } from "./next-slots.ts";
import { createScheduleKeeper, LONGEST_NAP_MS } from "./schedule-keeper.ts";
import { scheduleOf } from "./slot-oracle.fixture.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const START = Date.parse("2026-03-27T00:00:00Z");

interface Told {
  readonly taskId: TaskId;
  readonly atMs: number;
  readonly decisions: readonly SlotDecision[];
  readonly nextSlotMs: number | undefined;
}

function setup(
  options: { readonly decide?: (told: Told) => Promise<void>; readonly clock?: FakeClock } = {},
) {
  const clock = options.clock ?? createFakeClock({ startMs: START });
  const ids = createIdSource({ clock: createSystemClock() });
  const stop = new AbortController();
  const told: Told[] = [];
  const bugs: unknown[] = [];
  const running = new Set<TaskId>();
  const keeper = createScheduleKeeper({
    clock,
    decided: async (taskId, decisions, nextSlotMs) => {
      const one = { taskId, atMs: clock.now(), decisions, nextSlotMs };
      told.push(one);
      await options.decide?.(one);
    },
    isRunning: (taskId) => running.has(taskId),
    onBug: (error) => bugs.push(error),
    signal: stop.signal,
  });
  const add = (input: ScheduleInput, lastSlotMs?: number): TaskId => {
    const taskId = ids.next("task");
    keeper.set(taskId, scheduleOf(input, clock.now()), { createdMs: clock.now(), lastSlotMs });
    return taskId;
  };
  const slots = (of?: TaskId): readonly string[] =>
    told
      .filter(({ taskId }) => of === undefined || taskId === of)
      .flatMap(({ decisions }) =>
        decisions.map(({ dueAt, decision }) => `${dueAt.slice(5, 19)} ${decision}`),
      );
  return { clock, keeper, told, bugs, running, add, slots, stop };
}

test("[J48] decides what is due at its time, with the next one; others keep sleeping", async () => {
  const { clock, keeper, told, add, slots } = setup();
  await using _ = keeper;
  const often = add("every 10m");
  const once = add("at 2026-03-27T00:25Z");
  add("0 9 * * * UTC");
  expect(keeper.next(once)).toBe(START + 25 * MINUTE);
  await clock.advance(31 * MINUTE);
  expect(slots()).toEqual([
    "03-27T00:10:00 fire",
    "03-27T00:20:00 fire",
    "03-27T00:25:00 fire",
    "03-27T00:30:00 fire",
  ]);
  expect(told.map(({ atMs, decisions }) => atMs - Date.parse(decisions[0]?.dueAt ?? ""))).toEqual([
    0, 0, 0, 0,
  ]);
  expect(told[0]?.nextSlotMs).toBe(START + 20 * MINUTE);
  expect(told[2]?.nextSlotMs).toBeUndefined();
  expect([keeper.next(often), keeper.next(once)]).toEqual([START + 40 * MINUTE, undefined]);
  expect(clock.sleepers).toBe(1);
});

test("[J48] looks at a new schedule at once, even during a long nap", async () => {
  const { clock, keeper, add, slots } = setup();
  await using _ = keeper;
  await clock.advance(SECOND);
  add("every 2s");
  await clock.advance(2 * SECOND);
  expect(slots()).toEqual(["03-27T00:00:03 fire"]);
});

test("[J48] notices within a nap that the clock went forward 30 days: the newest runs, the others are skipped", async () => {
  const { clock, keeper, add, slots } = setup();
  await using _ = keeper;
  add("0 9 * * * Europe/Berlin");
  await clock.advance(SECOND);
  clock.setWall(START + 30 * DAY);
  await clock.advance(LONGEST_NAP_MS);
  // Summer time began on the 29th.
  const skipped = nextSlots(scheduleOf("0 9 * * * Europe/Berlin"), START, 29).map(
    (ms) => `${new Date(ms).toISOString().slice(5, 19)} skip`,
  );
  expect(slots()).toEqual([...skipped, "04-25T07:00:00 fire"]);
});

test("[J48] decides nothing again after the clock went back two hours, and continues", async () => {
  const { clock, keeper, add, slots } = setup();
  await using _ = keeper;
  add("*/30 * * * * UTC");
  await clock.advance(3 * HOUR);
  const before = slots();
  clock.setWall(clock.now() - 2 * HOUR);
  await clock.advance(2 * HOUR);
  expect(slots()).toEqual(before);
  await clock.advance(30 * MINUTE);
  expect(slots()).toEqual([...before, "03-27T03:30:00 fire"]);
});

test.each([
  [
    "30 2 * * * Europe/Berlin",
    ["03-27T01:30:00 fire", "03-28T01:30:00 fire", "03-29T01:00:00 fire", "03-30T00:30:00 fire"],
  ],
  [
    "0 9 * * * Asia/Tokyo",
    ["03-28T00:00:00 fire", "03-29T00:00:00 fire", "03-30T00:00:00 fire", "03-31T00:00:00 fire"],
  ],
])("[J48] works on days with clock changes: %s", async (text, expected) => {
  const { clock, keeper, add, slots } = setup();
  await using _ = keeper;
  add(text);
  await clock.advance(4 * DAY + MINUTE);
  expect(slots()).toEqual(expected);
});

test("[J48] waits in naps for a time beyond the range of timers", async () => {
  const { clock, keeper, add, slots } = setup();
  await using _ = keeper;
  add("at 2026-04-21T00:00Z");
  await clock.advance(25 * DAY - SECOND);
  expect(slots()).toEqual([]);
  await clock.advance(SECOND);
  expect(slots()).toEqual(["04-21T00:00:00 fire"]);
});

test("[J43] does not repeat decisions of an earlier process, and makes those it missed", async () => {
  const { clock, keeper, add, slots } = setup({ clock: createFakeClock({ startMs: START }) });
  await using _ = keeper;
  const taskId = add("at 2027-01-01T00:00Z");
  keeper.set(taskId, scheduleOf("0 * * * * UTC"), {
    createdMs: START - 7 * DAY,
    lastSlotMs: START - 3 * HOUR,
  });
  await clock.advance(0);
  expect(slots()).toEqual(["03-26T22:00:00 skip", "03-26T23:00:00 skip", "03-27T00:00:00 fire"]);
});

test("[J45] checks whether the task still runs when a slot is due", async () => {
  const { clock, keeper, add, running, slots } = setup();
  await using _ = keeper;
  const taskId = add("every 10m");
  running.add(taskId);
  await clock.advance(10 * MINUTE);
  running.clear();
  await clock.advance(10 * MINUTE);
  expect(slots()).toEqual(["03-27T00:10:00 skip", "03-27T00:20:00 fire"]);
});

test("[J49] retries the same decision until it is durable; the others continue", async () => {
  let broken = true;
  const { clock, keeper, add, told, bugs, slots } = setup({
    decide: async ({ taskId }) => {
      if (broken && taskId === stuck) throw new Error("the disk is full");
    },
  });
  await using _ = keeper;
  const stuck = add("every 10m");
  const other = add("every 10m");
  await clock.advance(10 * MINUTE);
  await clock.advance(25 * MINUTE);
  const tries = told.filter(({ taskId }) => taskId === stuck);
  expect(tries.map(({ atMs }) => (atMs - START - 10 * MINUTE) / SECOND).slice(0, 9)).toEqual([
    0, 1, 3, 7, 15, 31, 63, 123, 183,
  ]);
  for (const { decisions } of tries) expect(decisions).toEqual(tries[0]?.decisions);
  expect(bugs).toHaveLength(1);
  expect(slots(other)).toHaveLength(3);
  broken = false;
  await clock.advance(2 * MINUTE);
  expect(new Set(slots(stuck))).toEqual(
    new Set(["03-27T00:10:00 fire", "03-27T00:20:00 skip", "03-27T00:30:00 fire"]),
  );
  expect(told.findLast(({ taskId }) => taskId === stuck)?.decisions).toHaveLength(2);
});

test("[J49] makes one decision per task at a time, even if its schedule changes meanwhile", async () => {
  const open: (() => void)[] = [];
  const { clock, keeper, add, told, slots } = setup({
    decide: () => new Promise((resolve) => open.push(resolve)),
  });
  await using _ = keeper;
  const taskId = add("every 10m");
  await clock.advance(35 * MINUTE);
  expect(told).toHaveLength(1);
  keeper.set(taskId, scheduleOf("*/5 * * * * UTC"), { createdMs: START });
  keeper.remove(taskId);
  keeper.set(taskId, scheduleOf("*/5 * * * * UTC"), { createdMs: START });
  await clock.advance(MINUTE);
  expect(told).toHaveLength(1);
  open.shift()?.();
  await clock.advance(0);
  // Continues after the last decision, by the new schedule.
  expect(slots().slice(1)).toEqual([
    "03-27T00:15:00 skip",
    "03-27T00:20:00 skip",
    "03-27T00:25:00 skip",
    "03-27T00:30:00 skip",
    "03-27T00:35:00 fire",
  ]);
  for (const resolve of open) resolve();
});

test("[J49] decides a thousand simultaneous slots, a few at a time", async () => {
  let [atOnce, most] = [0, 0];
  const { clock, keeper, add, told } = setup({
    decide: async () => {
      most = Math.max(most, ++atOnce);
      await clock.sleep(1, new AbortController().signal);
      atOnce--;
    },
  });
  await using _ = keeper;
  for (let n = 0; n < 1_000; n++) add("0 9 * * * UTC");
  clock.setWall(START + 9 * HOUR - SECOND);
  await clock.advance(LONGEST_NAP_MS + SECOND);
  expect(new Set(told.map(({ taskId }) => taskId)).size).toBe(1_000);
  expect(told).toHaveLength(1_000);
  expect(most).toBeLessThanOrEqual(32);
});

test("[J49] reports a schedule that can no longer be computed, without stopping others", async () => {
  const { clock, keeper, add, bugs, slots } = setup();
  await using _ = keeper;
  const gone = { ...scheduleOf("0 9 * * * UTC"), zone: "Mars/Base" };
  const taskId = add("every 10m");
  keeper.set(taskId, gone, { createdMs: START });
  add("every 20m");
  await clock.advance(20 * MINUTE);
  expect(bugs).toEqual([expect.objectContaining({ code: "unknown_zone" })]);
  expect(keeper.next(taskId)).toBeUndefined();
  expect(slots()).toEqual(["03-27T00:20:00 fire"]);
});

test("[J50] neither decides nor retries for a removed task", async () => {
  const { clock, keeper, add, told } = setup({ decide: () => Promise.reject(new Error("no")) });
  await using _ = keeper;
  const [gone, failing] = [add("every 20m"), add("every 10m")];
  keeper.remove(gone);
  await clock.advance(10 * MINUTE);
  expect(told).toHaveLength(1);
  keeper.remove(failing);
  await clock.advance(HOUR);
  expect(told).toHaveLength(1);
  expect([keeper.next(gone), keeper.next(failing)]).toEqual([undefined, undefined]);
});

test.each(["dispose", "abort"] as const)(
  "[J50] after %s, nothing more is decided and no timer is left",
  async (how) => {
    let finish = (): void => undefined;
    const { clock, keeper, add, told, stop } = setup({
      decide: () => new Promise((resolve) => (finish = resolve)),
    });
    const taskId = add("every 10m");
    await clock.advance(10 * MINUTE);
    const closed = how === "dispose" ? keeper[Symbol.asyncDispose]() : undefined;
    stop.abort();
    finish();
    await (closed ?? keeper[Symbol.asyncDispose]());
    keeper.set(taskId, scheduleOf("every 1s"), { createdMs: START });
    await clock.advance(HOUR);
    expect(told).toHaveLength(1);
    expect(clock.sleepers).toBe(0);
  },
);

test("[J43] decides each slot once in a week of repeated crashes", async () => {
  const clock = createFakeClock({ startMs: START });
  const schedule = scheduleOf("0,30 * * * * America/New_York");
  const taskId = createIdSource({ clock: createSystemClock() }).next("task");
  const log: SlotDecision[] = [];
  for (let process = 0; process < 20; process++) {
    const before = log.at(-1);
    await using keeper = createScheduleKeeper({
      clock,
      decided: async (_, decisions) => {
        // Every third process dies before it has written.
        if (process % 3 === 0) throw new Error("killed");
        log.push(...decisions);
      },
      isRunning: () => false,
      onBug: () => undefined,
      signal: new AbortController().signal,
    });
    keeper.set(taskId, schedule, {
      createdMs: START,
      lastSlotMs: before === undefined ? undefined : lastSlotOf(before),
    });
    await clock.advance(25 * MINUTE);
    clock.setWall(clock.now() + 8 * HOUR);
    await clock.advance(LONGEST_NAP_MS);
  }
  const slots = log.map(({ dueAt }) => Date.parse(dueAt));
  expect(slots.length).toBeGreaterThan(300);
  expect(slots).toEqual(nextSlots(schedule, START, slots.length));
});
