import type { TurnOutcome } from "@deputy/agent";
import { EventLogError, type NewEvent, type TaskStatus } from "@deputy/protocol";
import { describe, expect, test } from "vitest";
import { describeCancelling } from "./cancel-rules.ts";
import { countEvents, ended, eventsOf, type OpenTaskService, setUpTasks } from "./task-harness.ts";

/** Far more concurrent tasks than any service should accept. */
const TOO_MANY = 1_000;

/** What clients need from every task service. The rules are in `packages/tasks/SPEC.md`. */
export function describeTaskService(name: string, open: OpenTaskService): void {
  describe(name, () => {
    describeCreating(open);
    describeRefusing(open);
    describeStatus(open);
    describeCancelling(open);
    describeListing(open);
  });
}

function describeCreating(open: OpenTaskService): void {
  test("[J1] a created task is in the log, in its own session, with the request", async () => {
    const { service, log, clock } = setUpTasks(open);
    const task = await service.create({ prompt: "Close old issues", requesterId: "rhys" });
    expect(task).toMatchObject({
      kind: "one-shot",
      status: "running",
      prompt: "Close old issues",
      createdAt: new Date(clock.now()).toISOString(),
    });
    const events = await eventsOf(log, task);
    expect(events.map((event) => event.type)).toEqual(["session.started", "task.created", "user.message"]);
    expect(events[1]?.data).toMatchObject({ taskId: task.id, prompt: "Close old issues" });
    expect(events[2]?.data).toMatchObject({ text: "Close old issues", sender: "rhys", trust: "user" });
    const other = await service.create({ prompt: "Close old issues" });
    expect(other.stream).not.toBe(task.stream);
    expect(other.id).not.toBe(task.id);
  });

  test("[J1] its work begins once it is recorded, for the requested agent and session", async () => {
    const seen = Promise.withResolvers<unknown>();
    const { service, log } = setUpTasks(open, async (turn) => {
      const types = (await Array.fromAsync(log.read(turn.stream))).map((event) => event.type);
      seen.resolve({ ...turn, types });
      return { kind: "completed" };
    });
    const task = await service.create({ prompt: "x", agentId: "ops", sessionKey: "nightly" });
    expect(task.agentId).toBe("ops");
    expect(await seen.promise).toMatchObject({
      stream: task.stream,
      agentId: "ops",
      sessionKey: "nightly",
      types: expect.arrayContaining(["task.created", "user.message"]),
    });
    await ended(log, task);
  });

  test("[J1] it survives a power cut: everything about it is written durably", async () => {
    const durabilities: unknown[] = [];
    const { service } = setUpTasks(open, undefined, (log) => ({
      ...log,
      append: (stream, events, options) => {
        durabilities.push(options?.durability ?? "full");
        return log.append(stream, events, options);
      },
    }));
    await service.cancel((await service.create({ prompt: "x" })).id, "me");
    expect(durabilities.length).toBeGreaterThan(1);
    expect(new Set(durabilities)).toEqual(new Set(["full"]));
  });

  test("[J1] a task that the log refuses does not exist, and its work never begins", async () => {
    let began = 0;
    const work = async (): Promise<TurnOutcome> => {
      began += 1;
      return { kind: "completed" };
    };
    const refusal = new EventLogError("storage_full", "The disk is full");
    let isFull = true;
    const { service, log } = setUpTasks(open, work, (inner) => ({
      ...inner,
      append: (...args) => (isFull ? Promise.reject(refusal) : inner.append(...args)),
    }));
    await expect(service.create({ prompt: "x" })).rejects.toMatchObject({ code: "storage_full" });
    expect(await service.list()).toEqual([]);
    isFull = false;
    await ended(log, await service.create({ prompt: "y" }));
    expect(began).toBe(1);
  });
}

function describeRefusing(open: OpenTaskService): void {
  test("[J5] refuses more concurrent tasks than the limit, and writes nothing, until one ends", async () => {
    const { service, log } = setUpTasks(open);
    const create = async (): Promise<unknown> => {
      for (let n = 0; n < TOO_MANY; n++) await service.create({ prompt: `${n}` });
      return "taken";
    };
    await expect(create()).rejects.toMatchObject({ code: "too_many_tasks" });
    const [written, tasks] = [await countEvents(log), await service.list()];
    await expect(service.create({ prompt: "one more" })).rejects.toMatchObject({ code: "too_many_tasks" });
    expect([await countEvents(log), await service.list()]).toEqual([written, tasks]);

    const [newest] = tasks;
    if (newest === undefined) throw new Error("The service took no task at all");
    await service.cancel(newest.id, "me");
    await ended(log, newest);
    expect(await service.create({ prompt: "one more" })).toMatchObject({ status: "running" });
  });

  test("[J5] a stopping service accepts no task, writes nothing, and still lists its tasks", async () => {
    const { service, log, stop } = setUpTasks(open);
    const task = await service.create({ prompt: "x" });
    stop.abort(new Error("shutdown"));
    await ended(log, task);
    const written = await countEvents(log);
    await expect(service.create({ prompt: "y" })).rejects.toMatchObject({ code: "shutting_down" });
    expect(await countEvents(log)).toBe(written);
    expect(await service.list()).toMatchObject([{ id: task.id, status: "cancelled" }]);
  });
}

function describeStatus(open: OpenTaskService): void {
  test.each<readonly [what: string, work: () => Promise<TurnOutcome>, status: TaskStatus]>([
    ["completes", async () => ({ kind: "completed" }), "succeeded"],
    ["fails", async () => ({ kind: "failed", code: "turn_limit", message: "Too long" }), "failed"],
    ["was stopped", async () => ({ kind: "aborted" }), "cancelled"],
    ["has a bug", () => Promise.reject(new TypeError("oops")), "failed"],
  ])("[J2] a task whose work %s has one end, and keeps it", async (_what, work, status) => {
    const { service, log, reopen } = setUpTasks(open, work);
    const task = await service.create({ prompt: "x" });
    await ended(log, task);
    for (const any of [service, reopen()]) expect(await any.get(task.id)).toMatchObject({ ...task, status });
    const ends = (await eventsOf(log, task)).filter((event) => event.type === "task.completed");
    expect(ends).toMatchObject([{ data: { taskId: task.id, outcome: status } }]);
  });

  test("[J3] only the task whose approval has no answer is waiting", async () => {
    const { service, log, ids } = setUpTasks(open);
    const [task, other] = [await service.create({ prompt: "a" }), await service.create({ prompt: "b" })];
    const approvals = [ids.next("call"), ids.next("call")];
    const requests = approvals.map((approvalId): NewEvent => {
      const preview = { title: "Write" };
      const data = { approvalId, toolPath: "t", input: {}, preview, bindingHash: "0".repeat(64) };
      return { type: "approval.requested", data };
    });
    await log.append(task.stream, requests);
    for (const approvalId of approvals) {
      expect(await service.get(task.id)).toEqual({ ...task, status: "waiting" });
      const data = { approvalId, decision: "approved", by: "me", scope: "once" } as const;
      await log.append(task.stream, [{ type: "approval.resolved", data }]);
    }
    expect(await service.get(task.id)).toEqual(task);
    expect(await service.list()).toEqual([other, task]);
  });
}

function describeListing(open: OpenTaskService): void {
  test("[J6] lists tasks newest first, and gets each by id", async () => {
    const { service, ids, clock } = setUpTasks(open);
    expect(await service.list()).toEqual([]);
    for (const prompt of ["a", "b", "c"]) {
      await service.create({ prompt });
      await clock.advance(5);
    }
    const tasks = await service.list();
    expect(tasks.map((task) => task.prompt)).toEqual(["c", "b", "a"]);
    for (const task of tasks) expect(await service.get(task.id)).toEqual(task);
    expect(await service.get(ids.next("task"))).toBeUndefined();
  });

  test("[J6] lists concurrently created tasks, each once", async () => {
    const { service } = setUpTasks(open);
    const created = await Promise.all(
      Array.from({ length: 10 }, (_, n) => service.create({ prompt: `${n}` })),
    );
    const listed = await service.list();
    expect(new Set(listed.map((task) => task.id))).toEqual(new Set(created.map((task) => task.id)));
    expect(listed).toHaveLength(10);
  });

  test("[J6] another service over the same log sees the same, at once and later", async () => {
    const { service, log, reopen } = setUpTasks(open);
    const [first, second] = [await service.create({ prompt: "a" }), await service.create({ prompt: "b" })];
    const other = reopen();
    expect(await other.list()).toEqual([second, first]);
    await service.cancel(first.id, "me");
    await ended(log, first);
    const third = await service.create({ prompt: "c" });
    expect(await other.list()).toMatchObject([third, second, { ...first, status: "cancelled" }]);
    expect(await other.list()).toEqual(await service.list());
  });
}
