import { type EventId, idTimeMs } from "@deputy/kit";
import {
  EntityConflictError,
  HookNotFoundError,
  PreconditionFailedError,
  RunExpiredError,
  TooEarlyError,
  WorkflowRunNotFoundError,
  WorkflowWorldError,
} from "@workflow/errors";
import { expect, test } from "vitest";
import { countRows, setUpWorld } from "../world.fixture.ts";

const TABLES = ["runs", "steps", "waits", "hooks", "events", "queue"] as const;
const input = new Uint8Array([1, 2, 3]);
const runData = { deploymentId: "embedded", workflowName: "w", input };

/** A World without handlers, with a started run; `fail` makes the next commit fail. */
async function setup() {
  const home = setUpWorld();
  let isFailing = false;
  const world = home.open({
    failpoint(name) {
      if (isFailing && name.startsWith("before")) throw new Error("power cut");
    },
  });
  const { run } = await world.events.create(null, { eventType: "run_created", eventData: runData });
  const runId = run?.runId ?? "";
  await world.events.create(runId, { eventType: "run_started" });
  const create = (request: object, params?: object) =>
    world.events.create(runId, request as Parameters<typeof world.events.create>[1], params);
  const step = { eventType: "step_created", correlationId: "step_1", eventData: { stepName: "s", input } };
  return {
    ...home,
    world,
    runId,
    create,
    step,
    counts: () => TABLES.map((table) => countRows(world, table)),
    fail: (yes: boolean) => void (isFailing = yes),
  };
}

const at = (ms: number): Date => new Date(Date.now() + ms);
const hookCreated = { eventType: "hook_created", correlationId: "hook_1", eventData: { token: "t" } };
const waitCreated = (ms: number) => ({
  eventType: "wait_created",
  correlationId: "wait_1",
  eventData: { resumeAt: at(ms) },
});

test("[WF1] writes entity, event and wake-up together, or none of them", async () => {
  const { create, counts, fail, step } = await setup();
  expect(counts()).toEqual([1, 0, 0, 0, 2, 1]);
  for (const [request, changed] of [
    [step, [1, 1, 0, 0, 3, 2]],
    [hookCreated, [1, 1, 0, 1, 4, 2]],
    [waitCreated(1e6), [1, 1, 1, 1, 5, 2]],
    [{ eventType: "run_completed", eventData: { output: input } }, [1, 1, 0, 0, 6, 0]],
  ] as const) {
    const before = counts();
    fail(true);
    await expect(create(request)).rejects.toThrow("power cut");
    expect(counts()).toEqual(before);
    fail(false);
    await create(request);
    expect(counts()).toEqual(changed);
  }
});

test("[WF1] the end of a step and an answer to a hook wake the run in the same transaction", async () => {
  const { create, world, step, fail } = await setup();
  await create(step);
  await create(hookCreated);
  const { db } = world.parts.store;
  const wakes = (): number =>
    Number(db.sql("SELECT count(*) AS n FROM queue WHERE kind = 'workflow'").get()?.["n"]);
  for (const requests of [
    [
      { eventType: "step_started", correlationId: "step_1", eventData: { stepName: "s" } },
      { eventType: "step_completed", correlationId: "step_1", eventData: { stepName: "s", result: input } },
    ],
    [{ eventType: "hook_received", correlationId: "hook_1", eventData: { payload: input } }],
  ]) {
    db.sql("DELETE FROM queue WHERE kind = 'workflow'").run();
    for (const request of requests.slice(0, -1)) await create(request);
    fail(true);
    await expect(create(requests.at(-1) ?? {})).rejects.toThrow("power cut");
    fail(false);
    expect(wakes()).toBe(0);
    await create(requests.at(-1) ?? {});
    expect(wakes()).toBe(1);
  }
});

test("[WF2] returns events in the order of commit, page by page, with their dates and bytes", async () => {
  const { create, world, runId, step } = await setup();
  await create(step);
  await create(waitCreated(1e6));
  const first = await world.events.list({ runId, pagination: { limit: 3 } });
  expect(first.data.map(({ eventType }) => eventType)).toEqual([
    "run_created",
    "run_started",
    "step_created",
  ]);
  expect(first.hasMore).toBe(true);
  expect(first.data[0]).toMatchObject({ eventData: runData, createdAt: expect.any(Date) });
  const cursor = first.cursor ?? "";
  const second = await world.events.list({ runId, pagination: { limit: 3, cursor } });
  expect(second.data.map(({ eventType }) => eventType)).toEqual(["wait_created"]);
  expect(second.hasMore).toBe(false);
  const nothing = await world.events.list({ runId, pagination: { cursor: second.cursor ?? "" } });
  expect(nothing).toEqual({ data: [], cursor: second.cursor, hasMore: false });
  const back = await world.events.list({ runId, pagination: { sortOrder: "desc" }, resolveData: "none" });
  expect(back.data.map((event) => "eventData" in event && event.eventData)).not.toContainEqual(runData);
  expect(back.data.map(({ eventType }) => eventType)).toEqual(
    ["run_created", "run_started", "step_created", "wait_created"].toReversed(),
  );
  const one = await world.events.get(runId, back.data[0]?.eventId ?? "");
  expect(one.eventType).toBe("wait_created");
  const about = await world.events.listByCorrelationId({ correlationId: "step_1", runId });
  expect(about.data).toHaveLength(1);
  expect((await world.events.listByCorrelationId({ correlationId: "step_1", runId: "other" })).data).toEqual(
    [],
  );
});

test("[WF2] starting a run again returns its events and adds none", async () => {
  const { create, runId, counts } = await setup();
  const again = await create({ eventType: "run_started" });
  expect(again).toMatchObject({ run: { runId, status: "running" }, hasMore: false });
  expect(again.events?.map(({ eventType }) => eventType)).toEqual(["run_created", "run_started"]);
  expect(counts()[4]).toBe(2);
});

test("[WF2] entities are listed, found and shown without their data", async () => {
  const { create, world, runId, step } = await setup();
  await create(step);
  await create(hookCreated);
  expect(await world.runs.get(runId, { resolveData: "none" })).toMatchObject({ runId, input: undefined });
  expect((await world.runs.list({ status: "running", workflowName: "w" })).data).toHaveLength(1);
  expect((await world.runs.list({ status: "pending" })).data).toEqual([]);
  expect(await world.steps.get(undefined, "step_1")).toMatchObject({ runId, stepName: "s", input });
  expect((await world.steps.list({ runId, resolveData: "none" })).data).toMatchObject([{ input: undefined }]);
  expect(await world.hooks.getByToken("t")).toEqual(await world.hooks.get("hook_1"));
  expect((await world.hooks.list({ runId })).data).toHaveLength(1);
  for (let n = 0; n < 5; n++)
    await world.events.create(null, { eventType: "run_created", eventData: runData });
  const page = await world.runs.list({ pagination: { limit: 4, sortOrder: "asc" } });
  const rest = await world.runs.list({
    pagination: { limit: 4, sortOrder: "asc", cursor: page.cursor ?? "" },
  });
  expect([...page.data, ...rest.data].map((run) => run.runId)).toHaveLength(6);
  expect(new Set([...page.data, ...rest.data].map((run) => run.runId)).size).toBe(6);
  expect([page.hasMore, rest.hasMore, rest.cursor]).toEqual([true, false, null]);
});

test("[WF11] an entity that already exists or has ended is a conflict", async () => {
  const { create, world, runId, step } = await setup();
  await create(step);
  await create(hookCreated);
  await create(waitCreated(1e6));
  await expect(create(step)).rejects.toSatisfy(EntityConflictError.is);
  await expect(create(hookCreated)).rejects.toSatisfy(EntityConflictError.is);
  await expect(create(waitCreated(1e6))).rejects.toSatisfy(EntityConflictError.is);
  await expect(
    world.events.create(runId, { eventType: "run_created", eventData: runData }),
  ).rejects.toSatisfy(EntityConflictError.is);
  const ended = { eventType: "step_completed", correlationId: "step_1", eventData: { result: input } };
  await create({ eventType: "step_started", correlationId: "step_1" });
  await create(ended);
  await expect(create(ended)).rejects.toSatisfy(EntityConflictError.is);
  const woken = { eventType: "wait_completed", correlationId: "wait_1" };
  await create(woken);
  await expect(create(woken)).rejects.toSatisfy(EntityConflictError.is);
  const disposed = { eventType: "hook_disposed", correlationId: "hook_1" };
  await create(disposed);
  await expect(create(disposed)).rejects.toSatisfy(EntityConflictError.is);
});

test("[WF11] reports entities that do not exist as not found", async () => {
  const { create, world } = await setup();
  const received = { eventType: "hook_received", correlationId: "none", eventData: { payload: input } };
  await expect(create(received)).rejects.toSatisfy(HookNotFoundError.is);
  await expect(world.hooks.getByToken("none")).rejects.toSatisfy(HookNotFoundError.is);
  await expect(world.hooks.get("none")).rejects.toSatisfy(HookNotFoundError.is);
  await expect(world.runs.get("none")).rejects.toSatisfy(WorkflowRunNotFoundError.is);
  await expect(world.steps.get("none", "none")).rejects.toSatisfy(WorkflowWorldError.is);
  await expect(world.events.get("none", "none")).rejects.toSatisfy(WorkflowWorldError.is);
  const started = { eventType: "run_started" as const };
  await expect(world.events.create("wrun_none", started)).rejects.toSatisfy(WorkflowRunNotFoundError.is);
  for (const type of ["step_started", "wait_completed"])
    await expect(create({ eventType: type, correlationId: "none" })).rejects.toSatisfy(WorkflowWorldError.is);
  await expect(
    world.events.create("no ULID", { eventType: "run_created", eventData: runData }),
  ).rejects.toSatisfy(WorkflowWorldError.is);
});

test("[WF11] a run_started with the run's data creates the run", async () => {
  const { world } = await setup();
  const runId = "wrun_01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const { run, events } = await world.events.create(runId, { eventType: "run_started", eventData: runData });
  expect(run).toMatchObject({ runId, status: "running", input });
  expect(events?.map(({ eventType }) => eventType)).toEqual(["run_created", "run_started"]);
});

test("[WF11] after a run's end nothing starts, a running step may end, and cancelling again does nothing", async () => {
  const { create, step } = await setup();
  await create(step);
  await create({ ...step, correlationId: "step_2" });
  await create({ eventType: "step_started", correlationId: "step_1" });
  await create({ eventType: "run_cancelled" });
  expect((await create({ eventType: "run_cancelled" })).run?.status).toBe("cancelled");
  await expect(create({ eventType: "run_started" })).rejects.toSatisfy(RunExpiredError.is);
  await expect(create({ eventType: "run_completed" })).rejects.toSatisfy(EntityConflictError.is);
  await expect(create({ ...step, correlationId: "step_3" })).rejects.toSatisfy(EntityConflictError.is);
  for (const correlationId of ["step_1", "step_2"])
    await expect(create({ eventType: "step_started", correlationId })).rejects.toSatisfy(RunExpiredError.is);
  const { step: ended } = await create({
    eventType: "step_completed",
    correlationId: "step_1",
    eventData: { result: input },
  });
  expect(ended?.status).toBe("completed");
});

test("[WF11] does not start a step early, and keeps its error and attempts", async () => {
  const { create, step, time } = await setup();
  await create(step);
  await create({ eventType: "step_started", correlationId: "step_1" });
  const retrying = { error: "no", stack: "at x", retryAfter: at(10_000) };
  const { step: pending } = await create({
    eventType: "step_retrying",
    correlationId: "step_1",
    eventData: retrying,
  });
  expect(pending).toMatchObject({ status: "pending", attempt: 1, error: { message: "no", stack: "at x" } });
  await expect(create({ eventType: "step_started", correlationId: "step_1" })).rejects.toSatisfy(
    TooEarlyError.is,
  );
  time.aheadMs = 11_000;
  const { step: started } = await create({ eventType: "step_started", correlationId: "step_1" });
  expect(started).toMatchObject({ status: "running", attempt: 2, retryAfter: undefined });
  const failed = { error: { message: "never" }, stack: "at y" };
  const { step: ended } = await create({
    eventType: "step_failed",
    correlationId: "step_1",
    eventData: failed,
  });
  expect(ended).toMatchObject({ status: "failed", error: { message: "never", stack: "at y" } });
});

test("[WF11] a hook's token belongs to one hook; the second sees a conflict in its events", async () => {
  const { create, world, runId } = await setup();
  await create(hookCreated);
  const other = await world.events.create(null, { eventType: "run_created", eventData: runData });
  const { event } = await world.events.create(other.run?.runId ?? "", {
    eventType: "hook_created",
    correlationId: "hook_2",
    eventData: { token: "t" },
  });
  expect(event).toMatchObject({
    eventType: "hook_conflict",
    eventData: { token: "t", conflictingRunId: runId },
  });
  await create({ eventType: "run_failed", eventData: { error: "lost", errorCode: "USER_ERROR" } });
  expect(await world.runs.get(runId)).toMatchObject({ error: { message: "lost", code: "USER_ERROR" } });
  await expect(world.hooks.getByToken("t")).rejects.toSatisfy(HookNotFoundError.is);
});

test("[WF11] refuses writes of a replay that has not seen the last answer or the last step's end", async () => {
  const { create } = await setup();
  await create(hookCreated);
  const received = { eventType: "hook_received", correlationId: "hook_1", eventData: { payload: input } };
  const { event } = await create(received);
  const seenMs = idTimeMs(event?.eventId.replace("evnt_", "evt_") as EventId);
  const stale = { stateUpdatedAt: seenMs - 1 };
  await expect(create({ eventType: "run_completed" }, stale)).rejects.toSatisfy(PreconditionFailedError.is);
  await create({ eventType: "run_completed" }, { stateUpdatedAt: seenMs });
});
