import { EventLogError } from "@deputy/protocol";
import { expect, test } from "vitest";
import {
  countEvents,
  deaf,
  ended,
  eventsOf,
  type OpenTaskService,
  setUpTasks,
  untilStopped,
} from "./task-harness.ts";

export function describeCancelling(open: OpenTaskService): void {
  test("[J4] cancelling stops the work, and logs who did it", async () => {
    const { service, log } = setUpTasks(open);
    const task = await service.create({ prompt: "x" });
    const other = await service.create({ prompt: "y" });
    expect(await service.cancel(task.id, "page")).toEqual({ kind: "cancelled" });
    await ended(log, task);
    const cancelled = (await eventsOf(log, task)).filter((event) => event.type === "task.cancelled");
    expect(cancelled).toMatchObject([{ data: { taskId: task.id, by: "page" } }]);
    expect(await service.list()).toMatchObject([other, { ...task, status: "cancelled" }]);
  });

  test("[J4] an acknowledged cancel holds for everyone, whatever the work still does", async () => {
    const { service, log, reopen } = setUpTasks(open, async (turn, signal) => {
      await untilStopped(turn, signal);
      return { kind: "completed" };
    });
    const task = await service.create({ prompt: "x" });
    expect(await service.cancel(task.id, "page")).toEqual({ kind: "cancelled" });
    for (const any of [service, reopen()])
      expect(await any.get(task.id)).toMatchObject({ status: "cancelled" });
    await ended(log, task);
    for (const any of [service, reopen()])
      expect(await any.get(task.id)).toMatchObject({ status: "cancelled" });
  });

  test("[J4] even if the work ignores it", async () => {
    const { service } = setUpTasks(open, deaf);
    const task = await service.create({ prompt: "x" });
    expect(await service.cancel(task.id, "page")).toEqual({ kind: "cancelled" });
    expect(await service.get(task.id)).toMatchObject({ status: "cancelled" });
  });

  test("[J4] cancelling again, or concurrently, changes nothing and says so", async () => {
    const { service, log } = setUpTasks(open);
    const task = await service.create({ prompt: "x" });
    const clients = Array.from({ length: 10 }, (_, n) => `client ${n}`);
    const outcomes = await Promise.all(clients.map((by) => service.cancel(task.id, by)));
    expect(outcomes.filter((outcome) => outcome.kind === "cancelled")).toHaveLength(1);
    const rest = outcomes.filter((outcome) => outcome.kind !== "cancelled");
    expect(rest).toEqual(rest.map(() => ({ kind: "already_ended", status: "cancelled" })));
    await ended(log, task);
    const written = await countEvents(log);
    expect(await service.cancel(task.id, "late")).toEqual({ kind: "already_ended", status: "cancelled" });
    expect(await countEvents(log)).toBe(written);
  });

  test.each(["completed", "failed"] as const)(
    "[J4] a task that %s can no longer be cancelled",
    async (kind) => {
      const outcome = kind === "failed" ? { kind, code: "x", message: "y" } : { kind };
      const { service, log, reopen } = setUpTasks(open, async () => outcome);
      const task = await service.create({ prompt: "x" });
      await ended(log, task);
      const written = await countEvents(log);
      const status = kind === "failed" ? "failed" : "succeeded";
      for (const any of [service, reopen()]) {
        expect(await any.cancel(task.id, "late")).toEqual({ kind: "already_ended", status });
      }
      expect(await countEvents(log)).toBe(written);
    },
  );

  test("[J4] a task that does not exist is unknown, and nothing is written", async () => {
    const { service, log, ids } = setUpTasks(open);
    expect(await service.cancel(ids.next("task"), "page")).toEqual({ kind: "unknown" });
    expect(await countEvents(log)).toBe(0);
  });

  test("[J4] a task of an earlier process can be cancelled", async () => {
    const { service, reopen } = setUpTasks(open, deaf);
    const task = await service.create({ prompt: "x" });
    const later = reopen();
    expect(await later.cancel(task.id, "page")).toEqual({ kind: "cancelled" });
    expect(await later.get(task.id)).toMatchObject({ status: "cancelled" });
  });

  test("[J4] if the log refuses the cancel, the task continues and can be cancelled again", async () => {
    let isFull = false;
    const refusal = new EventLogError("storage_full", "The disk is full");
    const { service, log } = setUpTasks(open, untilStopped, (inner) => ({
      ...inner,
      append: (...args) => (isFull ? Promise.reject(refusal) : inner.append(...args)),
    }));
    const task = await service.create({ prompt: "x" });
    isFull = true;
    await expect(service.cancel(task.id, "page")).rejects.toMatchObject({ code: "storage_full" });
    isFull = false;
    expect(await service.get(task.id)).toEqual(task);
    expect(await service.cancel(task.id, "page")).toEqual({ kind: "cancelled" });
    await ended(log, task);
  });
}
