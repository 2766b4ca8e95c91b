import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Schedule, ScheduleInput } from "@deputy/protocol";
import { decideSlots, lastSlotOf, MOST_TOLD, type SlotDecision, type SlotQuestion } from "./decide-slots.ts";
import { nextSlots } from "./next-slots.ts";
import { scheduleOf } from "./slot-oracle.fixture.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const MONDAY = Date.parse("2026-03-02T00:00:00Z");
const daily = { kind: "cron", expression: "0 9 * * *", zone: "UTC" } as const;

function setup(input: ScheduleInput, change: Partial<SlotQuestion> = {}) {
  const schedule = scheduleOf(input);
  const ask = (more: Partial<SlotQuestion>) =>
    decideSlots({
      taskId: "tsk_1",
      schedule,
      createdMs: MONDAY,
      nowMs: MONDAY,
      isRunning: false,
      ...change,
      ...more,
    });
  return { schedule, ask };
}

const short = (decisions: readonly SlotDecision[]): readonly string[] =>
  decisions.map(({ dueAt, decision, reason }) => `${dueAt.slice(5, 16)} ${decision}: ${reason}`);

test("[J43] a slot is due at its time, once", () => {
  const { ask } = setup(daily);
  const nine = MONDAY + 9 * HOUR;
  expect(ask({ nowMs: nine - 1 })).toEqual({ decisions: [], next: { slotMs: nine, dueMs: nine } });
  const { decisions, next } = ask({ nowMs: nine });
  expect(decisions).toEqual([
    {
      decision: "fire",
      dueAt: "2026-03-02T09:00:00.000Z",
      reason: "on time",
      firingId: "slot 2026-03-02T09:00:00.000Z",
      start: "now",
    },
  ]);
  expect(next?.slotMs).toBe(nine + DAY);
  expect(ask({ nowMs: nine, lastSlotMs: nine })).toEqual({ decisions: [], next });
});

test("[J43] does not decide again after the clock went back two hours", () => {
  const { ask } = setup("*/30 * * * *");
  const nowMs = MONDAY + 12 * HOUR;
  const last = lastSlotOf(ask({ nowMs }).decisions.at(-1) as SlotDecision);
  expect(last).toBe(nowMs);
  for (const backMs of [1, MINUTE, 2 * HOUR, 30 * DAY])
    expect(ask({ nowMs: nowMs - backMs, lastSlotMs: last })).toMatchObject({
      decisions: [],
      next: { slotMs: nowMs + 30 * MINUTE },
    });
});

test("[J43] decides a one-shot time once, even if it passed while the task was created", () => {
  const { ask } = setup("at 2026-03-02T09:00Z");
  const nine = MONDAY + 9 * HOUR;
  expect(short(ask({ nowMs: nine, createdMs: nine + 5 }).decisions)).toEqual(["03-02T09:00 fire: on time"]);
  expect(ask({ nowMs: nine + DAY, lastSlotMs: nine })).toEqual({ decisions: [], next: undefined });
  expect(short(ask({ nowMs: nine + HOUR }).decisions)).toEqual(["03-02T09:00 fire: late: it was missed"]);
  expect(short(ask({ nowMs: nine + 3 * DAY }).decisions)).toEqual(["03-02T09:00 skip: missed: too long ago"]);
});

test("[J44] once: after a week, makes up for the newest and skips the others", () => {
  const { ask } = setup(daily);
  expect(short(ask({ nowMs: MONDAY + 5 * DAY }).decisions)).toEqual([
    "03-02T09:00 skip: missed: too long ago",
    "03-03T09:00 skip: missed: too long ago",
    "03-04T09:00 skip: missed: too long ago",
    "03-05T09:00 skip: missed: too long ago",
    "03-06T09:00 fire: late: it was missed",
  ]);
  const wide = setup({ ...daily, catchUpMs: 30 * DAY });
  expect(short(wide.ask({ nowMs: MONDAY + 3 * DAY }).decisions)).toEqual([
    "03-02T09:00 skip: missed: only the newest runs",
    "03-03T09:00 skip: missed: only the newest runs",
    "03-04T09:00 fire: late: it was missed",
  ]);
});

test("[J44] skip: runs only what is due now", () => {
  const { ask } = setup({ ...daily, misfire: { kind: "skip" } });
  const friday = MONDAY + 4 * DAY + 9 * HOUR;
  const before = ["03-02", "03-03", "03-04", "03-05"].map(
    (day) => `${day}T09:00 skip: missed: its schedule makes up for none`,
  );
  expect(short(ask({ nowMs: friday + MINUTE }).decisions)).toEqual([...before, "03-06T09:00 fire: on time"]);
  expect(short(ask({ nowMs: friday + MINUTE + 1 }).decisions)).toEqual([
    ...before,
    "03-06T09:00 skip: missed: its schedule makes up for none",
  ]);
});

test("[J44] all: makes up for a number of the newest within the window, in order", () => {
  const { ask } = setup({ ...daily, misfire: { kind: "all", max: 2 }, catchUpMs: 4 * DAY });
  const { decisions } = ask({ nowMs: MONDAY + 5 * DAY });
  expect(short(decisions)).toEqual([
    "03-02T09:00 skip: missed: too long ago",
    "03-03T09:00 skip: missed: its schedule makes up for no more",
    "03-04T09:00 skip: missed: its schedule makes up for no more",
    "03-05T09:00 fire: late: it was missed",
    "03-06T09:00 fire: late: it was missed",
  ]);
  expect(decisions.map((one) => (one.decision === "fire" ? one.start : "-"))).toEqual([
    "-",
    "-",
    "-",
    "now",
    "after",
  ]);
});

test("[J44] an empty window still lets through what is on time", () => {
  const { ask } = setup({ ...daily, catchUpMs: 0 });
  const nine = MONDAY + 9 * HOUR;
  expect(short(ask({ nowMs: nine + MINUTE }).decisions)).toEqual(["03-02T09:00 fire: on time"]);
  expect(short(ask({ nowMs: nine + 2 * MINUTE }).decisions)).toEqual([
    "03-02T09:00 skip: missed: too long ago",
  ]);
});

test.each([
  ["skip", ["skip: the one before is still running"]],
  ["queue", ["fire: on time after"]],
  ["cancel", ["fire: on time instead"]],
] as const)("[J45] while it still runs, %s", (overlap, said) => {
  const { ask } = setup({ ...daily, overlap });
  const tell = ({ decision, reason, ...one }: SlotDecision): string =>
    `${decision}: ${reason}${"start" in one ? ` ${one.start}` : ""}`;
  const nowMs = MONDAY + 9 * HOUR;
  expect(ask({ nowMs, isRunning: true }).decisions.map(tell)).toEqual(said);
  expect(ask({ nowMs, isRunning: false }).decisions.map(tell)).toEqual(["fire: on time now"]);
});

test("[J45] at most a hundred wait for a running one", () => {
  const { ask } = setup({ ...daily, overlap: "queue" });
  const nowMs = MONDAY + 9 * HOUR;
  expect(short(ask({ nowMs, isRunning: true, waiting: 99 }).decisions)).toEqual([
    "03-02T09:00 fire: on time",
  ]);
  expect(short(ask({ nowMs, isRunning: true, waiting: 100 }).decisions)).toEqual([
    "03-02T09:00 skip: too many are waiting",
  ]);
});

test.each([
  ["every 30s", "2026-03-02", 1],
  ["* * * * * Europe/Berlin", "2026-03-27", 4],
  ["*/10 0-3 * * 1-5 America/Santiago", "2026-03-02", 100],
  ["0 9,10 * * * Australia/Lord_Howe", "2026-03-02", 600],
] as const)("[J46] %s: of very many, the oldest become one event with their number", (text, day, days) => {
  const createdMs = Date.parse(day);
  const nowMs = createdMs + days * DAY;
  const { ask, schedule } = setup(text);
  const { decisions, next } = ask({ createdMs, nowMs });
  const [older, ...newest] = decisions;
  if (older?.decision !== "skip" || older.untilAt === undefined) throw new Error("no range");
  expect(newest).toHaveLength(MOST_TOLD);
  expect(newest.filter(({ decision }) => decision === "fire")).toHaveLength(1);
  expect(newest.at(-1)?.decision).toBe("fire");
  const every = slotsUpTo(schedule, createdMs, nowMs);
  expect(older).toMatchObject({ dueAt: isoAt(every.at(0)), untilAt: isoAt(every.at(-MOST_TOLD - 1)) });
  expect(older.count).toBe(every.length - MOST_TOLD);
  expect(newest.map(({ dueAt }) => dueAt)).toEqual(every.slice(-MOST_TOLD).map(isoAt));
  expect(next?.slotMs).toBe(nextSlots(schedule, nowMs, 1)[0]);
});

test("[J46] up to a thousand get one event each", () => {
  const { ask } = setup("every 1m");
  expect(ask({ nowMs: MONDAY + 1_000 * MINUTE }).decisions).toHaveLength(1_000);
  const { decisions } = ask({ nowMs: MONDAY + 1_001 * MINUTE });
  expect(decisions).toHaveLength(1_001);
  // A single one is not a range.
  expect(decisions[0]).toEqual({
    decision: "skip",
    dueAt: isoAt(MONDAY + MINUTE),
    reason: "missed: only the newest runs",
  });
});

test("[J47] each task has its own stable delay, spread over the jitter", () => {
  const { schedule } = setup({ ...daily, jitterMs: 10 * MINUTE });
  const lateBy = (taskId: string, day: number): number => {
    const createdMs = MONDAY + day * DAY;
    const { next } = decideSlots({ taskId, schedule, createdMs, nowMs: createdMs, isRunning: false });
    return (next?.dueMs ?? 0) - (next?.slotMs ?? 0);
  };
  const found = Array.from({ length: 200 }, (_, index) =>
    lateBy(`tsk_${index % 20}`, Math.floor(index / 20)),
  );
  expect(
    Array.from({ length: 200 }, (_, index) => lateBy(`tsk_${index % 20}`, Math.floor(index / 20))),
  ).toEqual(found);
  expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...found)).toBeLessThanOrEqual(10 * MINUTE);
  for (let part = 0; part < 10; part++)
    expect(found.filter((ms) => Math.floor(ms / MINUTE) === part).length).toBeGreaterThan(5);
});

test("[J47] a slot is not due before its jitter has passed, and later slots wait for it", () => {
  const { schedule, ask } = setup({
    kind: "cron",
    expression: "* * * * *",
    zone: "UTC",
    jitterMs: HOUR,
    catchUpMs: DAY,
  });
  let lastSlotMs: number | undefined;
  const seen: string[] = [];
  for (let nowMs = MONDAY; nowMs < MONDAY + 3 * HOUR; nowMs += 17_000) {
    const { decisions, next } = ask({ nowMs, lastSlotMs });
    for (const decision of decisions) {
      seen.push(decision.dueAt);
      lastSlotMs = lastSlotOf(decision);
    }
    expect(next?.dueMs).toBeGreaterThan(nowMs);
  }
  expect(seen.length).toBeGreaterThan(100);
  expect(seen).toEqual(nextSlots(schedule, MONDAY, seen.length).map(isoAt));
});

test("[J43] decides every slot up to the latest time once, in order, however the clock moves", () => {
  const inputs = fc.constantFrom<ScheduleInput[]>(
    "*/20 * * * * Europe/Berlin",
    "30 2 * * * Europe/Berlin",
    "0,45 1-3 * * * America/New_York",
    "every 7m",
    { kind: "every", everyMs: 600_000, anchorAt: "2026-03-27T00:00:00Z", jitterMs: 300_000 },
    {
      kind: "cron",
      expression: "15 */2 * * *",
      zone: "Australia/Lord_Howe",
      jitterMs: 3_000_000,
      overlap: "queue",
    },
    {
      kind: "cron",
      expression: "0 * * * *",
      zone: "Africa/Cairo",
      misfire: { kind: "all", max: 3 },
      overlap: "cancel",
    },
  );
  const steps = fc.array(
    fc.record({
      ms: fc.oneof(fc.integer({ min: -2 * HOUR, max: 3 * HOUR }), fc.constantFrom(0, DAY, -DAY)),
      isRunning: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  );
  const createdMs = Date.parse("2026-03-28T00:00:00Z");
  fc.assert(
    fc.property(inputs, steps, (input, moves) => {
      const schedule = scheduleOf(input, createdMs);
      const told: SlotDecision[] = [];
      let [nowMs, furthestMs] = [createdMs, createdMs];
      for (const { ms, isRunning } of moves) {
        nowMs += ms;
        furthestMs = Math.max(furthestMs, nowMs);
        const last = told.at(-1);
        const lastSlotMs = last === undefined ? undefined : lastSlotOf(last);
        told.push(
          ...decideSlots({ taskId: "tsk_1", schedule, createdMs, lastSlotMs, nowMs, isRunning }).decisions,
        );
      }
      const slots = told.map(({ dueAt }) => dueAt);
      expect(slots).toEqual(nextSlots(schedule, createdMs, slots.length).map(isoAt));
      const [first] = nextSlots(schedule, Date.parse(slots.at(-1) ?? isoAt(createdMs)), 1);
      expect((first ?? Infinity) + schedule.jitterMs).toBeGreaterThan(furthestMs);
    }),
    { numRuns: 100 },
  );
});

/** One by one, without state or counting. */
function slotsUpTo(schedule: Schedule, afterMs: number, untilMs: number): readonly number[] {
  const slots: number[] = [];
  for (let [slot] = nextSlots(schedule, afterMs, 1); slot !== undefined && slot <= untilMs;) {
    slots.push(slot);
    [slot] = nextSlots(schedule, slot, 1);
  }
  return slots;
}

const isoAt = (ms: number | undefined): string => new Date(ms ?? 0).toISOString();
