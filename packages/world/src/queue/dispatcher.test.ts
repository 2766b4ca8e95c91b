import { WorkflowWorldError } from "@workflow/errors";
import type { World } from "@workflow/world";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SqliteWorld } from "../open-sqlite-world.ts";
import { countRows, nextEvent, setUpWorld } from "../world.fixture.ts";

type Handler = Parameters<World["createQueueHandler"]>[1];
const input = new Uint8Array([1]);

/** Hands messages to the test, one at a time; the test's answer is the handler's result. */
function createDesk() {
  const arrived: Delivered[] = [];
  // Closing the World does not wait for messages that the test left unanswered.
  const open: (() => void)[] = [];
  onTestFinished(() => open.forEach((answer) => answer()));
  const waiting: ((delivered: Delivered) => void)[] = [];
  const handler: Handler = (message, meta) => {
    const { promise, resolve, reject } = Promise.withResolvers<void | { timeoutSeconds: number }>();
    open.push(resolve);
    const delivered = { message, meta, done: resolve, fail: reject };
    const next = waiting.shift();
    if (next === undefined) arrived.push(delivered);
    else next(delivered);
    return promise;
  };
  return {
    handler,
    arrived,
    next: (): Promise<Delivered> => {
      const first = arrived.shift();
      if (first !== undefined) return Promise.resolve(first);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

interface Delivered {
  readonly message: unknown;
  readonly meta: Parameters<Handler>[1];
  readonly done: (again?: { timeoutSeconds: number }) => void;
  readonly fail: (error: Error) => void;
}

/** A World whose messages go to desks, with a run and one step. */
async function setup() {
  const home = setUpWorld();
  const world = home.open();
  const { run } = await world.events.create(null, {
    eventType: "run_created",
    eventData: { deploymentId: "embedded", workflowName: "w", input },
  });
  const runId = run?.runId ?? "";
  world.parts.store.db.sql("DELETE FROM queue").run();
  return {
    ...home,
    world,
    runId,
    steps: staff(world, "__wkf_step_"),
    flows: staff(world, "__wkf_workflow_"),
  };
}

function staff(world: SqliteWorld, prefix: string) {
  const desk = createDesk();
  world.createQueueHandler(prefix, desk.handler);
  return desk;
}

async function withStep({
  world,
  runId,
}: {
  readonly world: SqliteWorld;
  readonly runId: string;
}): Promise<void> {
  const eventData = { stepName: "s", input };
  await world.events.create(runId, { eventType: "step_created", correlationId: "step_1", eventData });
}

const completeStep = (world: SqliteWorld, runId: string) =>
  world.events.create(runId, {
    eventType: "step_completed",
    correlationId: "step_1",
    eventData: { result: input },
  });

/** Everything committed and requested so far has been processed. */
const settle = (world: SqliteWorld): Promise<void> =>
  vi.waitUntil(() => !world.parts.dispatcher.busy).then(() => {});

test("[WF4] leases a message while it is handled, and removes it afterwards", async () => {
  const { world, steps } = await setup();
  await world.start();
  await world.queue("__wkf_step_s", { workflowRunId: "r", stepId: "s" } as never);
  const delivered = await steps.next();
  expect(delivered.message).toEqual({ workflowRunId: "r", stepId: "s" });
  expect(delivered.meta).toMatchObject({ attempt: 1, queueName: "__wkf_step_s" });
  const row = world.parts.store.db.sql("SELECT lease, ready FROM queue").get();
  expect(row?.["lease"]).toEqual(expect.any(String));
  expect(Number(row?.["ready"])).toBeGreaterThan(Date.now() + 20_000);
  delivered.done();
  await settle(world);
  expect(countRows(world, "queue")).toBe(0);
});

test("[WF4] opening a World immediately takes over what a dead process was handling", async () => {
  const { world, steps, open } = await setup();
  await world.start();
  await world.queue("__wkf_step_s", { workflowRunId: "r" } as never);
  await steps.next(); // and never answers
  const second = open();
  const desk = staff(second, "__wkf_step_");
  await second.start();
  const again = await desk.next();
  expect(again.meta.attempt).toBe(1);
  again.done();
});

test("[WF4] takes over an expired lease, and leaves a held one alone", async () => {
  const { world, steps, open, time } = await setup();
  const second = open();
  const desk = staff(second, "__wkf_step_");
  await second.start();
  await settle(second);
  const frozen = Date.now();
  const first = open({ now: () => frozen });
  const hung = staff(first, "__wkf_step_");
  await first.start();
  await first.queue("__wkf_step_s", { workflowRunId: "r", n: 1 } as never);
  await hung.next();
  await second.queue("__wkf_step_s", { workflowRunId: "r", n: 2 } as never);
  expect((await desk.next()).message).toMatchObject({ n: 2 });
  time.aheadMs = 31_000;
  await second.queue("__wkf_step_s", { workflowRunId: "r", n: 3 } as never);
  const taken = [await desk.next(), await desk.next()].map(({ message }) => (message as { n: number }).n);
  expect(new Set(taken)).toEqual(new Set([1, 3]));
  expect(steps.arrived).toEqual([]);
  await world.close();
});

test("[WF4] renews leases while handlers run, even after the machine slept; nothing runs twice", async () => {
  const { world, steps, time } = await setup();
  await world.start();
  await world.queue("__wkf_step_s", { workflowRunId: "r", n: 1 } as never);
  const first = await steps.next();
  time.aheadMs = 3_600_000;
  await world.queue("__wkf_step_s", { workflowRunId: "r", n: 2 } as never);
  const second = await steps.next();
  expect(second.message).toMatchObject({ n: 2 });
  const leases = world.parts.store.db.sql("SELECT ready FROM queue").all();
  expect(leases.map((row) => Number(row["ready"]) > Date.now() + time.aheadMs)).toEqual([true, true]);
  first.done();
  second.done();
  await settle(world);
  expect(steps.arrived).toEqual([]);
});

test("[WF5] a handler without its lease cannot write, and is told to stop at the next renewal", async () => {
  const home = await setup();
  const { world, runId, steps, open, time } = home;
  await withStep(home);
  let stopped: AbortSignal | undefined;
  world.createQueueHandler("__wkf_step_", async (message, meta) => {
    stopped = world.parts.scope.current?.signal;
    await world.events.create(runId, { eventType: "step_started", correlationId: "step_1" });
    await steps.handler(message, meta);
    await completeStep(world, runId);
  });
  await world.start();
  const slow = await steps.next();
  const second = open();
  const desk = staff(second, "__wkf_step_");
  await second.start();
  const quick = await desk.next();
  slow.done();
  await vi.waitUntil(() => home.bugs.length > 0);
  expect(home.bugs).toEqual([expect.objectContaining({ status: 503, code: "LEASE_LOST" })]);
  expect(home.bugs[0]).toSatisfy(WorkflowWorldError.is);
  expect((await second.steps.get(runId, "step_1")).status).toBe("running");
  await completeStep(second, runId);
  quick.done();
  await settle(second);
  expect((await second.steps.get(runId, "step_1")).status).toBe("completed");
  expect(stopped?.aborted).toBe(false);
  time.aheadMs = 0;
});

test("[WF5] noticing a lost lease aborts the delivery's signal", async () => {
  const { world, steps, open, time } = await setup();
  let signal: AbortSignal | undefined;
  world.createQueueHandler("__wkf_step_", (message, meta) => {
    signal ??= world.parts.scope.current?.signal;
    return steps.handler(message, meta);
  });
  await world.start();
  await world.queue("__wkf_step_s", { workflowRunId: "r" } as never);
  await steps.next();
  const second = open();
  staff(second, "__wkf_step_");
  await second.start();
  await vi.waitUntil(() => second.parts.dispatcher.busy);
  time.aheadMs = 11_000; // one heartbeat: the next tick renews
  world.parts.dispatcher.pump();
  await vi.waitUntil(() => signal?.aborted);
  expect(signal?.reason).toMatchObject({ name: "DeliveryStopped", reason: "lease_lost" });
});

test("[WF6] ignores a second message with the same key; wakes a run once, and once more while it is at work", async () => {
  const { world, runId, flows } = await setup();
  const key = { idempotencyKey: "k" };
  const one = await world.queue("__wkf_step_s", { workflowRunId: "r" } as never, key);
  expect(await world.queue("__wkf_step_s", { workflowRunId: "r" } as never, key)).toEqual(one);
  expect(countRows(world, "queue")).toBe(1);
  for (let n = 0; n < 3; n++) await world.queue("__wkf_workflow_w", { runId });
  expect(countRows(world, "queue")).toBe(2);
  await world.start();
  const first = await flows.next();
  for (let n = 0; n < 3; n++) await world.queue("__wkf_workflow_w", { runId });
  expect(countRows(world, "queue")).toBe(3);
  first.done();
  (await flows.next()).done();
});

test("[WF7] runs one workflow delivery per run at a time, with steps and other runs in parallel", async () => {
  const { world, runId, flows, steps } = await setup();
  await world.start();
  await world.queue("__wkf_workflow_w", { runId });
  const first = await flows.next();
  await world.queue("__wkf_workflow_w", { runId });
  await world.queue("__wkf_workflow_w", { runId, replayDivergence: { eventId: "e", count: 1 } });
  await world.queue("__wkf_workflow_w", { runId: "another" });
  await world.queue("__wkf_step_s", { workflowRunId: runId } as never);
  const other = await flows.next();
  expect(other.message).toMatchObject({ runId: "another" });
  (await steps.next()).done();
  await new Promise((resolve) => setImmediate(resolve));
  expect(flows.arrived).toEqual([]);
  first.done();
  const second = await flows.next();
  expect(flows.arrived).toEqual([]);
  second.done();
  (await flows.next()).done();
  other.done();
});

test("[WF8] retries a failed delivery later with its attempt number; a crash does not count", async () => {
  const { world, steps, bugs, time, open } = await setup();
  await world.start();
  await world.queue("__wkf_step_s", { workflowRunId: "r" } as never);
  for (const attempt of [1, 2, 3]) {
    const delivered = await steps.next();
    expect(delivered.meta.attempt).toBe(attempt);
    delivered.fail(new Error("no"));
    await settle(world);
    expect(steps.arrived).toEqual([]);
    time.aheadMs += 60_000;
    world.parts.dispatcher.pump();
  }
  expect(bugs).toHaveLength(3);
  await steps.next();
  const second = open();
  const desk = staff(second, "__wkf_step_");
  await second.start();
  const taken = await desk.next();
  expect(taken.meta.attempt).toBe(4);
  taken.done();
});

test("[WF8] redelivers on request after the given time, with the attempts reset", async () => {
  const { world, steps, time } = await setup();
  await world.start();
  await world.queue("__wkf_step_s", { workflowRunId: "r" } as never);
  (await steps.next()).done({ timeoutSeconds: 100 });
  await settle(world);
  world.parts.dispatcher.pump();
  await settle(world);
  expect(steps.arrived).toEqual([]);
  time.aheadMs = 101_000;
  world.parts.dispatcher.pump();
  const again = await steps.next();
  expect(again.meta.attempt).toBe(1);
  again.done();
});

test("[WF8] keeps a message that has no handler", async () => {
  const { world, bugs } = await setup();
  await world.start();
  await world.queue("__other_wkf_step_s", { workflowRunId: "r" } as never);
  await vi.waitUntil(() => bugs.length === 1);
  expect(String(bugs[0])).toContain("Nobody handles");
  await settle(world);
  expect(countRows(world, "queue")).toBe(1);
});

test("[WF9] a sleep of years ends on time, not before, and wakes its run", async () => {
  const { world, runId, flows, time } = await setup();
  await world.start();
  const years = 3 * 365 * 86_400_000;
  await world.events.create(runId, {
    eventType: "wait_created",
    correlationId: "wait_1",
    eventData: { resumeAt: new Date(Date.now() + years) },
  });
  time.aheadMs = years - 60_000;
  world.parts.dispatcher.pump();
  await settle(world);
  expect(world.parts.store.waits.get(runId, "wait_1")?.status).toBe("waiting");
  const ended = nextEvent(world, ({ eventType }) => eventType === "wait_completed");
  time.aheadMs = years + 1;
  world.parts.dispatcher.pump();
  expect(await ended).toMatchObject({ runId, correlationId: "wait_1" });
  (await flows.next()).done();
});

test("[WF9] sets one timer for everything due later, none if nothing is, and none beyond half a minute", async () => {
  const { world, runId } = await setup();
  const timers = vi.spyOn(globalThis, "setTimeout");
  const delays = (): readonly unknown[] => timers.mock.calls.map(([, ms]) => ms);
  await world.start();
  await settle(world);
  expect(delays()).toEqual([]);
  for (let n = 0; n < 50; n++)
    await world.events.create(runId, {
      eventType: "wait_created",
      correlationId: `wait_${n}`,
      eventData: { resumeAt: new Date(Date.now() + (n + 30) * 86_400_000) },
    });
  timers.mockClear();
  world.parts.dispatcher.pump();
  await settle(world);
  expect(delays()).toEqual([30_000]);
  timers.mockRestore();
});

test("[WF9] the running timer notices that the clock was set", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { world, runId, flows, time } = await setup();
  await world.start();
  await world.events.create(runId, {
    eventType: "wait_created",
    correlationId: "wait_1",
    eventData: { resumeAt: new Date(Date.now() + 3_600_000) },
  });
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  time.aheadMs = 3_600_001;
  vi.advanceTimersByTime(30_000);
  (await flows.next()).done();
  vi.useRealTimers();
});
