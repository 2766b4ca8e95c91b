import { type ApprovalDesk, type LandmarkView, StopRequest, SuspendRequest } from "@deputy/agent";
import { type Clock, createKeyedLane, type IdSource, isAbort, openTaskGroup, type TaskId } from "@deputy/kit";
import {
  type EventLog,
  type NewEvent,
  type PendingApproval,
  readEvent,
  type StreamId,
  type Task,
} from "@deputy/protocol";
import {
  createScheduleKeeper,
  type ScheduleKeeper,
  type ScheduleKeeperDeps,
} from "../schedules/schedule-keeper.ts";
import type { CancelOutcome, TaskRequest } from "../task-service.ts";
import { TasksError } from "../tasks-error.ts";
import {
  type Firing,
  isRepeating,
  openFirings,
  type TaskEntry,
  type TasksView,
  toTask,
} from "../tasks-view.ts";
import { firingEvents, type NewFiring } from "./firing-events.ts";
import { openRepeatingTask } from "./open-repeating-task.ts";
import { slotEvents } from "./slot-events.ts";
import type { Advance, Advanced, TaskRuns, TaskTemplate } from "./task-runs.ts";

/** Tasks that run at other times than at once: on a schedule, at a time, or when something is reported. */
export interface RepeatingTasks extends AsyncDisposable {
  /** Durable once resolved. Runs when it is due while some process `keep`s. Rejects as `TaskService.create` does. */
  create(request: TaskRequest): Promise<Task>;
  /** Undefined when it is none of these. */
  cancel(id: TaskId, by: string): Promise<CancelOutcome | undefined>;
  /** From now on what is due is run, here; also what earlier processes left. Call it once. */
  keep(): Promise<void>;
}

const TEMPLATES = {
  "one-shot": "oneShot_v1",
  recurring: "recurring_v1",
  event: "eventTriggered_v1",
} as const satisfies Record<Task["kind"], TaskTemplate>;
/** So many reports wait for a task; further ones are skipped, and said to be. */
const MOST_REPORTED = 100;
/** A bug may be in what another process is about to put right: a log that fails, a file that is not there. */
const MOST_TRIES = 3;

export interface RepeatingTasksDeps {
  readonly log: EventLog;
  readonly view: LandmarkView<TasksView>;
  readonly ids: IdSource;
  /** Opened with the first task that runs: nothing of it is loaded before. */
  readonly openRuns: (advance: Advance) => Promise<TaskRuns>;
  /** What tasks are due by. */
  readonly clock: Clock;
  readonly onTimeMs?: ScheduleKeeperDeps["onTimeMs"];
  /** Does the next part of a firing: see `advanceFiring`. */
  readonly advance: (entry: TaskEntry, firing: Firing, signal: AbortSignal) => Promise<Advanced>;
  /** Told once a firing has ended; at least once. What it rejects with is a bug. */
  readonly onEnded: (entry: TaskEntry, firing: Firing) => Promise<void>;
  /** Told when a firing waits for the user; more than once for the same. What it rejects with is a bug. */
  readonly onAsked: (entry: TaskEntry, asked: PendingApproval) => Promise<void>;
  readonly approvals: Pick<ApprovalDesk, "pending">;
  readonly assertAgent: (agentId: string) => Promise<void>;
  readonly defaultAgent: string;
  /** The zone of schedules that name none. */
  readonly zone: string;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}

export function createRepeatingTasks(deps: RepeatingTasksDeps): RepeatingTasks {
  const { log, ids } = deps;
  const group = openTaskGroup(deps.signal);
  const lane = createKeyedLane<TaskId>({ maxWaiting: 10_000 });
  const never = new AbortController().signal;
  /** What is being advanced here, by firing. */
  const running = new Map<string, AbortController>();
  /** How often one could not be advanced since this process started. */
  const failures = new Map<string, number>();
  let keeper: ScheduleKeeper | undefined;
  let runs: Promise<TaskRuns> | undefined;
  let known: TasksView | undefined;

  const look = async (): Promise<TasksView> => (known = (await deps.view.current()).state);
  const find = async (id: TaskId): Promise<TaskEntry | undefined> => (await look()).byId.get(id);
  const run = (): Promise<TaskRuns> => (runs ??= openRuns());

  const openRuns = async (): Promise<TaskRuns> => {
    const durable = await deps.openRuns((firing, signal) => advance(firing, signal));
    const { byId } = await look();
    // What ended while nobody had the runs open.
    for (const id of durable.open() as readonly TaskId[])
      if (byId.get(id)?.closed !== false) await durable.cancel(id);
    return durable;
  };

  const start = async ({ task: { id, kind } }: TaskEntry, firingId: string): Promise<void> => {
    const durable = await run();
    await durable.start(TEMPLATES[kind], id);
    if (kind !== "one-shot") await durable.fire(id, firingId);
  };

  const fire = async (entry: TaskEntry, firing: NewFiring, more: readonly NewEvent[] = []): Promise<void> => {
    await log.append(entry.task.stream, [...firingEvents(entry.created, firing, ids), ...more]);
    await start(entry, firing.firingId);
  };

  /** Each slot that was due is in the log once, fired or skipped, before anything runs. */
  const decided: ScheduleKeeperDeps["decided"] = (taskId, decisions) =>
    lane.run(taskId, never, async () => {
      const entry = await find(taskId);
      if (entry === undefined || entry.outcome !== undefined) return;
      // Called again because the work could not be started: what is in the log stays as it is.
      const { lastSlotAt = "" } = entry;
      const left = decisions.filter(({ dueAt }) => dueAt > lastSlotAt);
      if (left.some((one) => one.decision === "fire" && one.start === "instead"))
        stopRunning(entry, "the next run");
      if (left.length > 0) await log.append(entry.task.stream, slotEvents(entry, left, ids));
      for (const { firingId } of openFirings((await find(taskId)) ?? entry)) await start(entry, firingId);
    });

  const stopRunning = (entry: TaskEntry, by: string): void => {
    for (const { firingId } of openFirings(entry)) running.get(firingId)?.abort(new StopRequest(by));
  };

  /** What was reported makes a task run, one report after the other. */
  const takeReports = (taskId: TaskId): Promise<void> =>
    lane.run(taskId, never, async () => {
      const entry = await find(taskId);
      if (entry === undefined || entry.outcome !== undefined) return;
      const reported = [...entry.reported];
      const tooMany = reported.slice(MOST_REPORTED).map(([delivery, at]): NewEvent => {
        const reason = `More than ${MOST_REPORTED} reports were waiting`;
        return { type: "task.skipped", data: { taskId, dueAt: at, reason, delivery } };
      });
      if (tooMany.length > 0) await log.append(entry.task.stream, tooMany);
      const [oldest] = reported;
      if (oldest === undefined || openFirings(entry).length > 0) return;
      const [delivery, dueAt] = oldest;
      const text = await readReport(log, delivery);
      const source = `hook ${entry.created.trigger?.hook ?? ""}`;
      const reason = `Reported to ${source}`;
      await fire(entry, { firingId: delivery, dueAt, reason, delivery, quoted: { source, text } });
    });

  const complete = async (entry: TaskEntry, outcome: "succeeded" | "failed" | "cancelled"): Promise<void> => {
    keeper?.remove(entry.task.id);
    if ((await find(entry.task.id))?.closed === true) return;
    await log.append(entry.task.stream, [
      { type: "task.completed", data: { taskId: entry.task.id, outcome } },
    ]);
  };

  /** Whatever of a cancelled task is at work here ends by itself, and the task with it. */
  const endCancelled = async (entry: TaskEntry): Promise<void> => {
    const open = openFirings(entry);
    if (open.some(({ firingId }) => running.has(firingId))) return;
    const stopped = AbortSignal.abort(new StopRequest("owner"));
    for (const firing of open) await deps.advance(entry, firing, stopped);
    await complete(entry, "cancelled");
  };

  const settle = async (entry: TaskEntry, firing: Firing, ended: Advanced): Promise<Advanced> => {
    if (ended.kind !== "ended") return ended;
    failures.delete(firing.firingId);
    // From here on it does not run, for whoever asks.
    await look();
    await deps.onEnded(entry, firing);
    const isOver = ended.stop || entry.task.kind === "one-shot" || entry.outcome !== undefined;
    if (isOver) await complete(entry, entry.outcome ?? (ended.stop ? "succeeded" : ended.outcome));
    else if (entry.created.trigger !== undefined) spawn(() => takeReports(entry.task.id));
    return { ...ended, stop: isOver };
  };

  const advance: Advance = async ({ taskId, firingId }, signal) => {
    const entry = await find(taskId);
    const firing = entry?.firings.get(firingId);
    // Forgotten is what ended long ago.
    if (entry === undefined || firing === undefined || entry.outcome !== undefined)
      return { kind: "ended", outcome: "cancelled", stop: entry?.outcome !== undefined };
    const stop = new AbortController();
    const suspend = (): void => stop.abort(new SuspendRequest());
    running.set(firingId, stop);
    group.signal.addEventListener("abort", suspend, { once: true });
    const both = AbortSignal.any([signal, stop.signal]);
    try {
      return await settle(entry, firing, await deps.advance(entry, firing, both));
    } catch (error) {
      const count = (failures.get(firingId) ?? 0) + 1;
      failures.set(firingId, count);
      if (both.aborted || count < MOST_TRIES) throw error;
      // One run that cannot be had does not end the task.
      deps.onBug(error);
      await log.append(entry.task.stream, [brokenTurn(firing)]);
      return await settle(entry, firing, { kind: "ended", outcome: "failed", stop: false });
    } finally {
      group.signal.removeEventListener("abort", suspend);
      running.delete(firingId);
    }
  };

  const spawn = (work: () => Promise<void>): void =>
    group.spawn(async () => {
      await work().catch((error: unknown) => {
        if (!isAbort(error) && !group.signal.aborted) deps.onBug(error);
      });
    });

  const keepOne = (entry: TaskEntry): void => {
    const { id, createdAt } = entry.task;
    const { schedule, trigger } = entry.created;
    if (schedule !== undefined && typeof schedule !== "string") {
      // The first slot is the one that was said; events are dated by another clock, perhaps.
      const saidMs = entry.nextAt === undefined ? undefined : Date.parse(entry.nextAt) - 1;
      const lastSlotMs = entry.lastSlotAt === undefined ? saidMs : Date.parse(entry.lastSlotAt);
      keeper?.set(id, schedule, { createdMs: Date.parse(createdAt), lastSlotMs });
    }
    if (trigger !== undefined) spawn(() => takeReports(id));
  };

  const tellAsked = async (): Promise<void> => {
    const { byStream } = await look();
    for (const asked of await deps.approvals.pending()) {
      const entry = byStream.get(asked.stream);
      if (entry !== undefined && isRepeating(entry)) await deps.onAsked(entry, asked);
    }
  };

  /** Whatever is reported, asked or answered from here on. */
  const follow = async (position: number, signal: AbortSignal): Promise<void> => {
    const types = ["hook.received", "approval.requested", "approval.resolved"] as const;
    for await (const { event: stored } of log.subscribeAll({ after: position, types }, signal)) {
      const read = readEvent(stored);
      if (read.kind !== "known") continue;
      const { event } = read;
      if (event.type === "hook.received")
        for (const { task } of (await look()).byHook.get(event.data.hook) ?? []) await takeReports(task.id);
      else if (event.type === "approval.requested") await tellAsked();
      else if (
        event.type === "approval.resolved" &&
        runs !== undefined &&
        (await look()).byStream.has(event.stream)
      )
        await (await runs).answered(event.data.approvalId);
    }
  };

  return {
    async create(request) {
      if (group.signal.aborted)
        throw new TasksError("shutting_down", "Deputy is shutting down; the task was not started.");
      const opening = openRepeatingTask(request, { ...deps, nowMs: deps.clock.now() });
      await deps.assertAgent(opening.agentId);
      await log.append(opening.stream, opening.events);
      const entry = await find(opening.taskId);
      if (entry === undefined)
        throw new Error(`Task ${opening.taskId} is not in the log it was just written to`);
      if (keeper !== undefined) keepOne(entry);
      return toTask(entry);
    },

    async cancel(id, by) {
      const entry = await find(id);
      if (entry === undefined || !isRepeating(entry)) return undefined;
      return await lane.run(id, never, async (): Promise<CancelOutcome> => {
        if (entry.outcome !== undefined) return { kind: "already_ended", status: entry.outcome };
        await log.append(entry.task.stream, [{ type: "task.cancelled", data: { taskId: id, by } }]);
        keeper?.remove(id);
        stopRunning(entry, by);
        if (runs !== undefined && (await runs).open().includes(id)) await (await runs).cancel(id);
        if (keeper !== undefined) await endCancelled(entry);
        return { kind: "cancelled" };
      });
    },

    async keep() {
      const isRunning = (id: TaskId): boolean => openFirings(known?.byId.get(id)).length > 0;
      const waiting = (id: TaskId): number => openFirings(known?.byId.get(id)).length;
      const { clock, onBug, onTimeMs } = deps;
      keeper = createScheduleKeeper({
        clock,
        onTimeMs,
        decided,
        isRunning,
        waiting,
        onBug,
        signal: group.signal,
      });
      const { state, position } = await deps.view.current();
      known = state;
      for (const entry of [...state.byId.values()].filter(isRepeating)) {
        if (entry.closed) continue;
        if (entry.outcome !== undefined) {
          await endCancelled(entry);
          continue;
        }
        for (const { firingId } of openFirings(entry)) await start(entry, firingId);
        keepOne(entry);
      }
      spawn(tellAsked);
      group.spawn(async (signal) => {
        await follow(position, signal).catch((error: unknown) => {
          if (!signal.aborted) deps.onBug(error);
        });
      });
    },

    async [Symbol.asyncDispose]() {
      await using owned = new AsyncDisposableStack();
      if (runs !== undefined) owned.use(await runs);
      if (keeper !== undefined) owned.use(keeper);
      owned.use(group);
    },
  };
}

function brokenTurn({ turnId }: Firing): NewEvent {
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  const message = "Something went wrong inside Deputy; its log says what.";
  return { type: "turn.failed", turnId, data: { code: "internal", message, usage } };
}

/** What somebody reported, as an agent is to see it. */
async function readReport(log: Pick<EventLog, "read">, delivery: StreamId): Promise<string> {
  for await (const stored of log.read(delivery)) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "hook.received") continue;
    const { payload } = read.event.data;
    return typeof payload === "string" ? payload : JSON.stringify(payload, null, 2);
  }
  return "(It was erased.)";
}
