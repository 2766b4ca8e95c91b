import { StopRequest, SuspendRequest, type Turn, type TurnOutcome } from "@deputy/agent";
import { createIdSource } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import { createLogTaskService, type InterruptedTask, type TaskWork } from "./log-task-service.ts";

const completed: TurnOutcome = { kind: "completed" };
const untilStopped: TaskWork = (_turn, signal) =>
  new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve({ kind: "aborted" }), { once: true }),
  );

function setup(work: TaskWork = async () => completed, onward: TaskWork | "stuck" = work) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const bugs: unknown[] = [];
  const { signal } = new AbortController();
  const resumed: InterruptedTask[] = [];
  const resumeWork = async (task: InterruptedTask): Promise<TaskWork> => {
    if (onward === "stuck") throw new Error("no plugin");
    resumed.push(task);
    return onward;
  };
  const open = () =>
    createLogTaskService({ log, ids, work, resumeWork, onBug: (error) => void bugs.push(error), signal });
  return { log, bugs, open, resumed, service: open() };
}

test("[J1] by default, a task belongs to the main agent, in a session named after it", async () => {
  const { service, log } = setup(untilStopped);
  const task = await service.create({ prompt: "x" });
  expect(task.agentId).toBe("main");
  const [started] = await Array.fromAsync(log.read(task.stream));
  expect(started?.data).toMatchObject({ agentId: "main", key: `task:${task.id}` });
});

test("[J179] a preview counts from the time that tasks are due by", () => {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const now = () => Date.parse("2030-06-01T10:00:00Z");
  const { signal } = new AbortController();
  const log = createMemoryEventLog({ clock, ids });
  const service = createLogTaskService({
    log,
    ids,
    work: untilStopped,
    now,
    onBug: (error) => expect.fail(String(error)),
    signal,
  });
  const preview = service.preview("in 20 minutes", { zone: "Asia/Tokyo", count: 3 });
  expect(preview).toMatchObject({
    next: ["2030-06-01T10:20:00.000Z"],
    schedule: { kind: "at", zone: "Asia/Tokyo" },
  });
  expect(preview.runs).toContain("1 June 2030 at 19:20");
});

test("[J34] a model's request is not the user's word, and names its origin", async () => {
  const { service, log } = setup(untilStopped);
  const task = await service.create({ prompt: "mail mallory", writtenBy: "model", requesterId: "ses_1" });
  const said = (await Array.fromAsync(log.read(task.stream))).find(({ type }) => type === "user.message");
  expect(said?.data).toMatchObject({ text: "mail mallory", trust: "untrusted", sender: "ses_1" });
  const own = await service.create({ prompt: "mail ada" });
  const mine = (await Array.fromAsync(log.read(own.stream))).find(({ type }) => type === "user.message");
  expect(mine?.data).toMatchObject({ trust: "user", sender: "owner" });
});

test("[J1] [J5] a task can name its agent and session; for an unknown agent, nothing is written", async () => {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const service = createLogTaskService({
    log,
    ids,
    work: untilStopped,
    defaultAgent: "ops",
    signal: new AbortController().signal,
    assertAgent: async (slug) => {
      if (slug !== "ops") throw new Error(`no ${slug}`);
    },
    onBug: () => undefined,
  });
  expect(await service.create({ prompt: "x" })).toMatchObject({ agentId: "ops" });
  await expect(service.create({ prompt: "x", agentId: "opps" })).rejects.toThrow("no opps");
  expect(await service.list()).toHaveLength(1);
});

test("[J2] a bug fails the task and is reported", async () => {
  const { service, bugs } = setup();
  const bug = new TypeError("oops");
  const { task, done } = await service.start({ prompt: "x" }, async () => Promise.reject(bug));
  expect(await done).toMatchObject({ kind: "failed", code: "internal" });
  expect(bugs).toEqual([bug]);
  expect(await service.get(task.id)).toMatchObject({ status: "failed" });
});

test("[J4] cancelling tells the work who did it", async () => {
  const { service } = setup();
  let reason: unknown;
  const { task, done } = await service.start({ prompt: "x" }, async (turn, signal) => {
    const outcome = await untilStopped(turn, signal);
    reason = signal.reason;
    return outcome;
  });
  await service.cancel(task.id, "page");
  expect(await done).toEqual({ kind: "aborted" });
  expect(reason).toBeInstanceOf(StopRequest);
  expect(reason).toMatchObject({ by: "page" });
});

const program = { code: "return 1;", language: "typescript" } as const;
test.each([{ kind: "recurring" as const }, { schedule: "0 9 * * *" }, { budget: { calls: 1 }, program }])(
  "[J5] refuses %j, and writes nothing",
  async (extra) => {
    const { service, log } = setup();
    await expect(service.create({ prompt: "x", ...extra })).rejects.toMatchObject({ code: "not_available" });
    expect(await Array.fromAsync(log.streams())).toEqual([]);
  },
);

const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
const notStuck = (_task: unknown, error: unknown): never => {
  throw error;
};

test.each([
  ["after its turn", { type: "turn.completed", data: { usage } }, "succeeded"],
  ["after it was cancelled", "cancel", "cancelled"],
] satisfies [string, NewEvent | "cancel", string][])(
  "[J7] a task left open %s is ended once, and not continued",
  async (_when, last, status) => {
    const { service, open, log, resumed } = setup(() => new Promise(() => undefined));
    const task = await service.create({ prompt: "x" });
    if (last === "cancel") await service.cancel(task.id, "me");
    else await log.append(task.stream, [last]);
    const later = open();
    expect(await later.interrupted()).toEqual([]);
    await later.endFinished();
    await later.endFinished();
    await later.goOn(notStuck);
    expect(resumed).toEqual([]);
    expect(await later.get(task.id)).toMatchObject({ status });
    const ends = (await Array.fromAsync(log.read(task.stream))).filter(
      (event) => event.type === "task.completed",
    );
    expect(ends).toMatchObject([{ data: { outcome: status } }]);
  },
);

test("[J7] a task left in the middle continues once, in the same turn", async () => {
  const turns: Turn[] = [];
  const { service, open, resumed } = setup(
    (turn) => {
      turns.push(turn);
      return new Promise(() => undefined);
    },
    async (turn) => {
      turns.push(turn);
      return completed;
    },
  );
  const task = await service.create({ prompt: "x", sessionKey: "mine" });
  const later = open();
  expect(await later.interrupted()).toEqual([task.stream]);
  await later.endFinished();
  await Promise.all([later.goOn(notStuck), later.goOn(notStuck)]);
  await vi.waitFor(async () => expect(await later.get(task.id)).toMatchObject({ status: "succeeded" }));
  expect(turns).toEqual([turns[0], turns[0]]);
  expect(resumed).toMatchObject([{ taskId: task.id }]);
  expect(await later.interrupted()).toEqual([]);
});

test("[J7] leaves a task that cannot be continued for the next start", async () => {
  const { service, open } = setup(() => new Promise(() => undefined), "stuck");
  const task = await service.create({ prompt: "x" });
  const later = open();
  const stuck: unknown[] = [];
  await later.goOn((id, error) => void stuck.push(id, error));
  expect(stuck).toEqual([task.id, new Error("no plugin")]);
  expect(await later.interrupted()).toEqual([task.stream]);
});

test("[J8] disposing suspends running tasks; a later service continues them", async () => {
  let reason: unknown;
  const { service, open } = setup(
    (_turn, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(signal.reason as Error);
        }),
      ),
  );
  const { task, done } = await service.start({ prompt: "x" });
  await service[Symbol.asyncDispose]();
  await expect(done).rejects.toBeInstanceOf(SuspendRequest);
  expect(reason).toBeInstanceOf(SuspendRequest);
  expect(await open().interrupted()).toEqual([task.stream]);
});

test("[J4] cancelling reaches a task that is about to be continued", async () => {
  const seen: boolean[] = [];
  const gate = Promise.withResolvers<void>();
  const { service, open } = setup(
    () => new Promise(() => undefined),
    async (_turn, signal) => {
      await gate.promise;
      seen.push(signal.aborted);
      return signal.aborted ? { kind: "aborted" } : completed;
    },
  );
  await service.create({ prompt: "first" });
  const second = await service.create({ prompt: "second" });
  const later = open();
  const going = later.goOn(notStuck);
  await vi.waitFor(async () => expect(await later.cancel(second.id, "me")).toEqual({ kind: "cancelled" }));
  gate.resolve();
  await going;
  await vi.waitFor(() => expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]));
  await vi.waitFor(async () => expect(await later.get(second.id)).toMatchObject({ status: "cancelled" }));
});
