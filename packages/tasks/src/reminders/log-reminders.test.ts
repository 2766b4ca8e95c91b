import { createIdSource, parseId } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogReminders } from "./log-reminders.ts";

const HOUR_MS = 3_600_000;
const tea = { name: "Tea", text: "It is ready", schedule: "in 10 minutes", from: "ses_1" };

/** The clock begins at midnight of the first of January 2025, UTC. */
function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const bugs: unknown[] = [];
  const open = (process = new AbortController()) =>
    createLogReminders({
      log,
      ids,
      clock,
      defaultAgent: "main",
      zone: "UTC",
      onBug: (error) => void bugs.push(error),
      signal: process.signal,
    });
  const told = async () =>
    (await Array.fromAsync(log.read("system"))).flatMap(({ type, data }) =>
      type === "system.noted" ? [data] : [],
    );
  const types = async () => (await Array.fromAsync(log.read("system"))).map(({ type }) => type);
  return { clock, ids, log, open, told, types };
}

test("[J100] an added reminder is in the log with its next time, for the next process too", async () => {
  const { open } = setup();
  const added = await open().add({ ...tea, schedule: { kind: "cron", expression: "0 9 * * 1-5" } });
  expect(added).toMatchObject({
    name: "Tea",
    agentId: "main",
    isEnabled: true,
    nextAt: "2025-01-01T09:00:00.000Z",
    schedule: { kind: "cron", zone: "UTC" },
  });
  expect(await open().list()).toEqual([added]);
});

test("[J100] a one-time reminder is due once, then gone", async () => {
  const { open, clock, told, types } = setup();
  const reminders = open();
  await reminders.keep();
  await reminders.add(tea);
  await clock.advance(HOUR_MS);
  expect(await told()).toMatchObject([{ source: "cron", text: "Tea: It is ready", agentId: "main" }]);
  expect(await types()).toEqual(["cron.added", "cron.fired", "system.noted"]);
  expect(await reminders.list()).toEqual([]);
});

test("[J100] other reminders repeat", async () => {
  const { open, clock, told } = setup();
  const reminders = open();
  await reminders.keep();
  await reminders.add({ ...tea, schedule: "every 1h" });
  await clock.advance(3 * HOUR_MS + 60_000);
  expect(await told()).toHaveLength(3);
});

test("[J101] delivers a missed reminder once, however long ago it was due", async () => {
  const { open, clock, told } = setup();
  const before = open();
  await before.add(tea);
  await before.add({ ...tea, name: "Stand up", schedule: { kind: "every", everyMs: HOUR_MS } });
  await clock.advance(72 * HOUR_MS + 60_000);
  const after = open();
  await after.keep();
  await clock.advance(60_000);
  expect((await told()).map((event) => (event as { text: string }).text).toSorted()).toEqual([
    "Stand up: It is ready",
    "Tea: It is ready",
  ]);
});

test("[J101] a restart repeats nothing", async () => {
  const { open, clock, told } = setup();
  const process = new AbortController();
  const first = open(process);
  await first.keep();
  await first.add({ ...tea, schedule: "every 1h" });
  await clock.advance(HOUR_MS + 60_000);
  process.abort();
  await first[Symbol.asyncDispose]();
  await open().keep();
  await clock.advance(60_000);
  expect(await told()).toHaveLength(1);
  await clock.advance(HOUR_MS);
  expect(await told()).toHaveLength(2);
});

test("[J102] a change counts from then on; a disabled reminder is silent", async () => {
  const { open, clock, told } = setup();
  const reminders = open();
  await reminders.keep();
  const { id } = await reminders.add({ ...tea, schedule: "every 1h" });
  expect(await reminders.update(id, { isEnabled: false, text: "Drink it" })).toMatchObject({
    name: "Tea",
    text: "Drink it",
    isEnabled: false,
  });
  expect((await reminders.list())[0]).not.toHaveProperty("nextAt");
  await clock.advance(5 * HOUR_MS);
  expect(await told()).toEqual([]);
  await reminders.update(id, { isEnabled: true });
  await clock.advance(60_000);
  // Times that passed meanwhile are not made up for.
  expect(await told()).toEqual([]);
  await reminders.update(id, { schedule: "every 2h" });
  await clock.advance(2 * HOUR_MS + 60_000);
  expect(await told()).toMatchObject([{ text: "Tea: Drink it" }]);
});

test("[J102] a removed reminder is never due; an unknown one is reported", async () => {
  const { open, clock, told, ids } = setup();
  const reminders = open();
  await reminders.keep();
  const { id } = await reminders.add(tea);
  expect(await reminders.remove(id, "ses_1")).toBe(true);
  expect(await reminders.remove(id, "ses_1")).toBe(false);
  expect(await reminders.update(ids.next("reminder"), { name: "x" })).toBeUndefined();
  await clock.advance(HOUR_MS);
  expect(await told()).toEqual([]);
  expect(parseId("reminder", id)).toBe(id);
});

test("[J102] refuses an invalid schedule and one reminder too many, and writes nothing", async () => {
  const { open, types } = setup();
  const reminders = open();
  await expect(reminders.add({ ...tea, schedule: "now and then" })).rejects.toMatchObject({
    code: "invalid_schedule",
  });
  for (let n = 0; n < 500; n++) await reminders.add({ ...tea, schedule: "every 1h" });
  await expect(reminders.add(tea)).rejects.toMatchObject({ code: "too_many_reminders" });
  expect(await types()).toHaveLength(500);
});
