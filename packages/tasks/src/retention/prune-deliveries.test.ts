import type { EventLog } from "@deputy/protocol";
import { expect, test } from "vitest";
import { pruneDeliveries } from "./prune-deliveries.ts";
import { inboxOf, setUpRetention } from "./retention.fixture.ts";

const rule = { before: "2026-03-10T00:00:00.000Z", reason: "too old" };
const DAY_MS = 86_400_000;

test("[J119] erases old reports; the log records it and verifies", async () => {
  const { open, time, never, pause } = await setUpRetention();
  const { log } = await open();
  const { deliver, left, tasks, streamOf } = inboxOf(log);
  for (let n = 0; n < 450; n++) await deliver("builds", `old ${n}`);
  time.ms += 20 * DAY_MS;
  await deliver("builds", "new");
  expect(await pruneDeliveries({ log, tasks, pause }, rule, never)).toBe(450);
  expect(await left()).toEqual(["new"]);
  const [, record] = await Array.fromAsync(log.read(streamOf("builds", "old 7")));
  expect(record).toMatchObject({ type: "event.erased", data: { by: "deputy", reason: "too old" } });
  expect(await log.verify()).toMatchObject({ erased: 450, damage: [] });
  // A delivery is still recognized by its stream.
  expect(await deliver("builds", "old 7")).toBe("duplicate");
  expect(await pruneDeliveries({ log, tasks, pause }, rule, never)).toBe(0);
});

test("[J119] keeps what a task still needs: waiting reports and unfinished runs", async () => {
  const { open, ids, never, pause } = await setUpRetention();
  const { log } = await open();
  const { deliver, left, tasks, streamOf } = inboxOf(log);
  await deliver("builds", "before the task");
  const stream = ids.next("session");
  const taskId = ids.next("task");
  const about = {
    taskId,
    kind: "event",
    prompt: "Look",
    agentId: "main",
    trigger: { hook: "builds" },
  } as const;
  await log.append(stream, [{ type: "task.created", data: about }]);
  for (const key of ["running", "waiting"]) await deliver("builds", key);
  await deliver("others", "elsewhere");
  const turnId = ids.next("turn");
  const slot = { taskId, dueAt: "2026-03-01T00:00:00.000Z", reason: "reported" };
  const fired = { ...slot, delivery: streamOf("builds", "running"), turnId };
  await log.append(stream, [{ type: "task.fired", turnId, data: fired }]);
  const prune = () => pruneDeliveries({ log, tasks, pause }, rule, never);
  expect(await prune()).toBe(2);
  expect(await left()).toEqual(["running", "waiting"]);
  expect(await prune()).toBe(0);
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  await log.append(stream, [{ type: "turn.completed", turnId, data: { usage } }]);
  expect(await prune()).toBe(1);
  expect(await left()).toEqual(["waiting"]);
  await log.append(stream, [{ type: "task.completed", data: { taskId, outcome: "cancelled" } }]);
  expect(await prune()).toBe(1);
});

test("[J119] continues after being stopped at any step; erases nothing twice and nothing needed", async () => {
  const { open, never, pause, time } = await setUpRetention();
  const store = await open();
  const { log } = store;
  const { deliver, left, tasks } = inboxOf(log);
  for (let n = 0; n < 450; n++) await deliver("builds", `${n}`);
  time.ms += 20 * DAY_MS;
  await deliver("builds", "new");
  const stop = new Error("killed");
  const afterErase: Pick<EventLog, "readAll" | "erase" | "snapshots"> = {
    readAll: log.readAll,
    erase: log.erase,
    snapshots: { load: async () => undefined, save: () => Promise.reject(stop) },
  };
  // Before the first erasure; after one whose position was not recorded; between two slices.
  const beforeErase = { ...log, erase: () => Promise.reject(stop) };
  await expect(pruneDeliveries({ log: beforeErase, tasks, pause }, rule, never)).rejects.toBe(stop);
  expect(await left()).toHaveLength(451);
  await expect(pruneDeliveries({ log: afterErase, tasks, pause }, rule, never)).rejects.toBe(stop);
  expect(await left()).toHaveLength(251);
  const stopped = { log, tasks, pause: () => Promise.reject(stop) };
  await expect(pruneDeliveries(stopped, rule, never)).rejects.toBe(stop);
  expect(await left()).toHaveLength(251);
  await store.close();
  const { log: next } = await open();
  const again = inboxOf(next);
  expect(await pruneDeliveries({ log: next, tasks: again.tasks, pause }, rule, never)).toBe(250);
  expect(await again.left()).toEqual(["new"]);
  expect(await next.verify()).toMatchObject({ erased: 450, damage: [] });
});
