import type { TaskId } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import { expect, test } from "vitest";
import { findTask, openTasksView } from "./open-tasks-view.ts";
import { inboxOf, setUpRetention } from "./retention/retention.fixture.ts";
import { createTasksReader } from "./tasks-reader.ts";

async function setup() {
  const home = await setUpRetention();
  const create = async (log: EventLog, hook: string | undefined): Promise<TaskId> => {
    const taskId = home.ids.next("task");
    const about =
      hook === undefined ? { kind: "one-shot" as const } : { kind: "event" as const, trigger: { hook } };
    const data = { taskId, prompt: "Look", agentId: "main", ...about };
    const stream = home.ids.next("session");
    await log.append(stream, [
      { type: "session.started", data: { agentId: "main", key: `task:${taskId}`, channel: "task" } },
      { type: "task.created", data },
      ...(hook === undefined
        ? [{ type: "task.completed" as const, data: { taskId, outcome: "succeeded" as const } }]
        : []),
    ]);
    return taskId;
  };
  return { ...home, create };
}

/** Counts reads of the log. */
function counting(log: EventLog): EventLog & { readonly read: EventLog["read"]; count(): number } {
  let count = 0;
  return {
    ...log,
    async *readAll(options) {
      for await (const item of log.readAll(options)) {
        count += 1;
        yield item;
      }
    },
    count: () => count,
  };
}

test("[J121] a restart reads only what is new, and knows waiting reports", async () => {
  const { open, create } = await setup();
  const store = await open();
  const { deliver, tasks } = inboxOf(store.log);
  const id = await create(store.log, "orders");
  for (let n = 0; n < 600; n++) await deliver("builds", `${n}`);
  await deliver("orders", "first");
  const before = await tasks();
  expect([...(before.byId.get(id)?.reported.keys() ?? [])]).toHaveLength(1);
  await store.close();
  const { log } = await open();
  const counted = counting(log);
  await inboxOf(log).deliver("orders", "second");
  const { state } = await openTasksView(counted).current();
  expect(counted.count()).toBeLessThan(10);
  expect(state.byId.get(id)?.reported.size).toBe(2);
  expect(state.byHook.get("orders")?.size).toBe(1);
});

test("[J121] a task that ended long ago is not listed but found by id; an open one is listed", async () => {
  const { open, create, ids } = await setup();
  const { log } = await open();
  const waiting = await create(log, "orders");
  const first = await create(log, undefined);
  for (let n = 0; n < 1_100; n++) await create(log, undefined);
  const { state } = await openTasksView(log).current();
  expect(state.byId.size).toBe(1_001);
  expect(state.byId.has(waiting)).toBe(true);
  expect(state.byStream.size).toBe(1_001);
  expect((await findTask(log, state, first))?.outcome).toBe("succeeded");
  expect(await findTask(log, state, ids.next("task"))).toBeUndefined();
  const reader = createTasksReader(log);
  expect(await reader.get(first)).toMatchObject({ id: first, status: "succeeded" });
  expect(await reader.list()).toHaveLength(1_001);
});
