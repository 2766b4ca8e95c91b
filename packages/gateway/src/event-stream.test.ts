import type { NewEvent, Task } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayDeps } from "./gateway.ts";
import { collect, readBlocks, readEventStream } from "./test/read-event-stream.ts";
import { startTestGateway } from "./test/gateway.fixture.ts";

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const open = async (task: Task, lastEventId?: string, signal?: AbortSignal) => {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await gateway.fetch(`/api/tasks/${task.id}/events`, { headers, signal: signal ?? null });
    expect(response.status).toBe(200);
    return response;
  };
  const say = (task: Task, ...texts: readonly string[]) =>
    gateway.log.append(
      task.stream,
      texts.map((text): NewEvent => ({
        type: "assistant.message",
        data: { itemId: gateway.ids.next("item"), text },
      })),
    );
  const complete = (task: Task, outcome: "succeeded" | "failed" = "succeeded") =>
    gateway.log.append(task.stream, [{ type: "task.completed", data: { taskId: task.id, outcome } }]);
  return { ...gateway, open, say, complete };
}

test("[G10] replays events, continues live, and ends after completed", async () => {
  const { createTask, open, say, complete } = await setup();
  const task = await createTask();
  await say(task, "before");
  const response = await open(task);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const received = collect(readEventStream(response));
  await say(task, "after");
  await complete(task);
  expect((await received).map(({ event }) => event)).toEqual([
    { type: "status", message: "Task created" },
    { type: "agent_message", text: "before" },
    { type: "agent_message", text: "after" },
    { type: "completed" },
  ]);
});

test("[G10] replays an ended task and ends, even if the log has later events", async () => {
  const { createTask, open, say, complete } = await setup();
  const task = await createTask();
  await say(task, "hello");
  await complete(task);
  await say(task, "too late");
  const events = await collect(readEventStream(await open(task)));
  expect(events.map(({ event }) => event.type)).toEqual(["status", "agent_message", "completed"]);
  expect(await collect(readEventStream(await open(task, events.at(-1)?.id)))).toEqual([]);
});

test("[G10] a cancelled task's stream continues until its work has stopped", async () => {
  const { createTask, open, post } = await setup();
  const task = await createTask();
  const received = collect(readEventStream(await open(task)));
  await post(`/api/tasks/${task.id}/cancel`, {});
  expect((await received).map(({ event }) => event)).toEqual([
    { type: "status", message: "Task created" },
    { type: "status", message: "Cancelled" },
    { type: "completed" },
  ]);
});

test("[G11] only the last event of a group has a cursor", async () => {
  const { createTask, open, complete } = await setup();
  const task = await createTask();
  const [completed] = await complete(task, "failed");
  const events = await collect(readEventStream(await open(task)));
  expect(events.slice(-2)).toEqual([
    { id: undefined, event: { type: "status", message: "The task failed" } },
    { id: String(completed?.seq), event: { type: "completed" } },
  ]);
});

test("[G11] [GC22] resuming after any event gives exactly the rest of this task", async () => {
  const { createTask, open, say, complete } = await setup();
  const [task, other] = [await createTask(), await createTask()];
  await say(task, "one", "two");
  await say(other, "not yours");
  await say(task, "three");
  await complete(task, "failed");
  const all = await collect(readEventStream(await open(task)));
  expect(JSON.stringify(all)).not.toContain("not yours");
  for (const [index, { id }] of all.entries()) {
    if (id === undefined) continue;
    expect(await collect(readEventStream(await open(task, id)))).toEqual(all.slice(index + 1));
  }
  expect(await collect(readEventStream(await open(task, "0")))).toEqual(all);
});

test.each(["", "x", "-1", "1.5", "1e3", "0x1", "99", "9".repeat(30), "1, 2"])(
  "[G12] refuses a cursor that is not a position of the stream: %j",
  async (cursor) => {
    const { createTask, raw } = await setup();
    const task = await createTask();
    const { status, body } = await raw({
      path: `/api/tasks/${task.id}/events`,
      headers: { "last-event-id": cursor },
    });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ code: "invalid_cursor" });
  },
);

test("[G13] a silent stream gets a heartbeat every 15 seconds", async () => {
  const clock = createFakeClock();
  const { createTask, open } = await setup({ clock });
  const blocks = readBlocks(await open(await createTask()));
  expect((await blocks.next()).value).toContain("Task created");
  for (let beat = 0; beat < 3; beat++) {
    await clock.advance(15_000);
    expect((await blocks.next()).value).toBe(": heartbeat");
  }
  await blocks.return(undefined);
});

test("[G14] a client that leaves frees its place and its subscription", async () => {
  const { createTask, open, fetch, log } = await setup({ limits: { openStreams: 1 } });
  const task = await createTask();
  const left: AbortSignal[] = [];
  const subscribe = log.subscribe.bind(log);
  vi.spyOn(log, "subscribe").mockImplementation((stream, options, signal) => {
    left.push(signal);
    return subscribe(stream, options, signal);
  });
  const client = new AbortController();
  await open(task, undefined, client.signal);
  client.abort();
  await vi.waitFor(() => expect(left[0]?.aborted).toBe(true));
  await vi.waitFor(async () => {
    const again = await fetch(`/api/tasks/${task.id}/events`);
    await again.body?.cancel();
    expect(again.status).toBe(200);
  });
});

test("[G15] refuses one stream too many, and the others continue", async () => {
  const { createTask, open, fetch, complete } = await setup({ limits: { openStreams: 2 } });
  const task = await createTask();
  const received = [await open(task), await open(task)].map((response) => collect(readEventStream(response)));
  const third = await fetch(`/api/tasks/${task.id}/events`);
  expect(third.status).toBe(503);
  expect(await third.json()).toMatchObject({ code: "too_many_streams" });
  await complete(task);
  for (const events of await Promise.all(received)) expect(events.at(-1)?.event.type).toBe("completed");
});

test("[G10] a failing log breaks the stream instead of ending it", async () => {
  const { createTask, open, log, bugs } = await setup();
  const task = await createTask();
  const broken = new Error("disk gone");
  vi.spyOn(log, "subscribe").mockImplementation(async function* () {
    yield* [];
    throw broken;
  });
  await expect(open(task).then((response) => response.text())).rejects.toThrow();
  await vi.waitFor(() => expect(bugs).toEqual([broken]));
});
