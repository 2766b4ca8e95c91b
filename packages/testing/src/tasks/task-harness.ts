import { type Clock, createIdSource, type IdSource } from "@deputy/kit";
import type { EventLog, StoredEvent, Task } from "@deputy/protocol";
import type { TaskService, TaskWork } from "@deputy/tasks";
import { onTestFinished } from "vitest";
import { createFakeClock } from "../fake-clock.ts";
import { createMemoryEventLog } from "@deputy/store/memory";

/** A service over this log, as each process that opens it would make one; it stops with the signal. */
export type OpenTaskService = (deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly work: TaskWork;
  readonly signal: AbortSignal;
}) => TaskService;

/** Work that runs until it is stopped. */
export const untilStopped: TaskWork = (_turn, signal) =>
  new Promise((resolve) => {
    const end = (): void => resolve({ kind: "aborted" });
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });

/** Work that cannot be stopped. */
export const deaf: TaskWork = () => new Promise(() => undefined);

export function setUpTasks(
  open: OpenTaskService,
  work: TaskWork = untilStopped,
  wrap: (log: EventLog) => EventLog = (log) => log,
) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const reopen = (): TaskService => open({ log: wrap(log), clock, ids, work, signal: stop.signal });
  return { clock, ids, log, stop, reopen, service: reopen() };
}

/** Resolves once the end of the task is in the log. */
export async function ended(log: EventLog, { stream }: Task): Promise<void> {
  const found = new AbortController();
  for await (const item of log.subscribe(stream, {}, found.signal)) {
    if (item.kind === "event" && item.event.type === "task.completed") found.abort();
  }
}

export async function eventsOf(log: EventLog, { stream }: Task): Promise<readonly StoredEvent[]> {
  return await Array.fromAsync(log.read(stream));
}

export async function countEvents(log: EventLog): Promise<number> {
  return (await Array.fromAsync(log.readAll())).length;
}
