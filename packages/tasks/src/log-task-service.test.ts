import { StopRequest, type TurnOutcome } from "@deputy/agent";
import { createIdSource, type TaskId } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogTaskService, type TaskWork } from "./log-task-service.ts";

const completed: TurnOutcome = { kind: "completed" };
const untilStopped: TaskWork = (_turn, signal) =>
  new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve({ kind: "aborted" }), { once: true }),
  );

function setup(work: TaskWork = async () => completed) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const bugs: unknown[] = [];
  const stop = new AbortController();
  const open = () =>
    createLogTaskService({ log, ids, work, onBug: (error) => void bugs.push(error), signal: stop.signal });
  return { clock, ids, log, bugs, stop, open, service: open() };
}

test("[J1] a created task is in the log, in a session of its own", async () => {
  const { service, log } = setup(untilStopped);
  const task = await service.create({ prompt: "Close old issues", requesterId: "rhys" });
  expect(task).toMatchObject({
    kind: "one-shot",
    prompt: "Close old issues",
    agentId: "main",
    status: "running",
  });
  const events = await Array.fromAsync(log.read(task.stream));
  expect(events.map((event) => event.type)).toEqual(["session.started", "task.created", "user.message"]);
  expect(events[2]?.data).toMatchObject({ text: "Close old issues", sender: "rhys", trust: "user" });
});

test.each([
  ["completed", completed, "succeeded"],
  ["failed", { kind: "failed", code: "x", message: "y" }, "failed"],
  ["aborted", { kind: "aborted" }, "cancelled"],
] satisfies [string, TurnOutcome, string][])("[J2] work that %s", async (_what, outcome, status) => {
  const { service } = setup();
  const { task, done } = await service.start({ prompt: "x" }, async () => outcome);
  await done;
  expect(await service.get(task.id)).toMatchObject({ status });
});

test("[J2] a bug fails the task and is reported", async () => {
  const { service, bugs } = setup();
  const bug = new TypeError("oops");
  const { task, done } = await service.start({ prompt: "x" }, async () => Promise.reject(bug));
  expect(await done).toMatchObject({ kind: "failed", code: "internal" });
  expect(bugs).toEqual([bug]);
  expect(await service.get(task.id)).toMatchObject({ status: "failed" });
});

test("[J3] a task waits while an approval of it has no answer", async () => {
  const { service, log, ids } = setup(untilStopped);
  const task = await service.create({ prompt: "x" });
  const approvalId = ids.next("call");
  const request = {
    approvalId,
    toolPath: "t",
    input: {},
    preview: { title: "" },
    bindingHash: "0".repeat(64),
  };
  await log.append(task.stream, [{ type: "approval.requested", data: request }]);
  expect(await service.get(task.id)).toMatchObject({ status: "waiting" });
  const answer = { approvalId, decision: "approved" as const, by: "me", scope: "once" as const };
  await log.append(task.stream, [{ type: "approval.resolved", data: answer }]);
  expect(await service.get(task.id)).toMatchObject({ status: "running" });
});

test("[J4] cancelling stops the work and says by whom", async () => {
  const { service, ids } = setup();
  let reason: unknown;
  const { task, done } = await service.start({ prompt: "x" }, async (turn, signal) => {
    const outcome = await untilStopped(turn, signal);
    reason = signal.reason;
    return outcome;
  });
  const answers = await Promise.all([service.cancel(task.id, "page"), service.cancel(task.id, "phone")]);
  expect(answers).toEqual([{ kind: "cancelled" }, { kind: "already_ended", status: "cancelled" }]);
  await done;
  expect(reason).toBeInstanceOf(StopRequest);
  expect(reason).toMatchObject({ by: "page" });
  expect(await service.cancel(task.id, "page")).toEqual({ kind: "already_ended", status: "cancelled" });
  expect(await service.cancel(ids.next("task"), "page")).toEqual({ kind: "unknown" });
});

test.each([{ kind: "recurring" as const }, { schedule: "0 9 * * *" }, { budget: { calls: 1 } }])(
  "[J5] %j is refused, and nothing is written",
  async (extra) => {
    const { service, log } = setup();
    await expect(service.create({ prompt: "x", ...extra })).rejects.toMatchObject({ code: "not_available" });
    expect(await Array.fromAsync(log.streams())).toEqual([]);
  },
);

test("[J5] a service that is stopping takes no task", async () => {
  const { service, log, stop } = setup();
  stop.abort(new StopRequest("shutdown"));
  await expect(service.create({ prompt: "x" })).rejects.toMatchObject({ code: "shutting_down" });
  expect(await Array.fromAsync(log.streams())).toEqual([]);
});

test("[J5] too many at once are refused", async () => {
  const { service } = setup(untilStopped);
  for (let n = 0; n < 50; n++) await service.create({ prompt: `${n}` });
  await expect(service.create({ prompt: "one more" })).rejects.toMatchObject({ code: "too_many_tasks" });
});

test("[J6] tasks are listed newest first, by a later process too", async () => {
  const { service, open } = setup();
  const tasks: TaskId[] = [];
  for (const prompt of ["a", "b", "c"]) {
    const { task, done } = await service.start({ prompt }, async () => completed);
    await done;
    tasks.unshift(task.id);
  }
  expect((await service.list()).map((task) => task.id)).toEqual(tasks);
  expect(await open().list()).toEqual(await service.list());
});

const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };

test.each([
  ["in the middle", undefined, "failed"],
  ["after its turn", { type: "turn.completed", data: { usage } }, "succeeded"],
  ["after it was cancelled", "cancel", "cancelled"],
] satisfies [string, NewEvent | "cancel" | undefined, string][])(
  "[J7] a task left open %s is ended once",
  async (_when, last, status) => {
    const { service, open, log } = setup(() => new Promise(() => undefined));
    const task = await service.create({ prompt: "x" });
    if (last === "cancel") await service.cancel(task.id, "me");
    else if (last !== undefined) await log.append(task.stream, [last]);
    const later = open();
    await later.endInterrupted();
    await later.endInterrupted();
    expect(await later.get(task.id)).toMatchObject({ status });
    const ends = (await Array.fromAsync(log.read(task.stream))).filter(
      (event) => event.type === "task.completed",
    );
    expect(ends).toMatchObject([{ data: { outcome: status } }]);
  },
);

test("[J8] disposing waits until every end is in the log", async () => {
  const { service, open } = setup(untilStopped);
  const task = await service.create({ prompt: "x" });
  await service[Symbol.asyncDispose]();
  expect(await open().get(task.id)).toMatchObject({ status: "cancelled" });
});
