import type { ApprovalDesk, LogView, TurnRunner } from "@deputy/agent";
import { type Clock, createKeyedLane, type IdSource, openTaskGroup, type TaskId } from "@deputy/kit";
import { type CanonicalEvent, type EventLog, readEvent, type Task } from "@deputy/protocol";
import type { Advance, Workflows } from "@deputy/world";
import type { Outbox } from "../outbox/outbox.ts";
import { ON_TIME_MS, type SlotDecision } from "../schedules/decide-slots.ts";
import {
  createScheduleKeeper,
  type ScheduleKeeper,
  type ScheduleKeeperDeps,
} from "../schedules/schedule-keeper.ts";
import type { CancelOutcome, ChangeOutcome, TaskChange, TaskRequest } from "../task-service.ts";
import { TasksError } from "../tasks-error.ts";
import {
  isRepeating,
  openFirings,
  type Outcome,
  replacedFirings,
  type TaskEntry,
  type TasksView,
  toTask,
  turnOf,
} from "../tasks-view.ts";
import { createFiringSteps, reportAsked, reportMissed, firedEvent } from "./advance-firing.ts";
import { changeEvents, skippedReports } from "./change-events.ts";
import { assertReports, openRepeatingTask, type Reporters } from "./open-repeating-task.ts";
import { createTaskWorkflows } from "./task-workflows.ts";
import { slotEvents, slotsSince } from "./slot-events.ts";
import type { LogTaskService } from "../log-task-service.ts";

/** Tasks that do not run at once: on a schedule, at a time, or on a report. */
export interface RepeatingTasks extends AsyncDisposable {
  /** Durable once resolved. Runs when it is due while some process `keep`s. Rejects as `TaskService.create` does. */
  create(request: TaskRequest): Promise<Task>;
  /** Undefined when the task is not a repeating one. */
  cancel(id: TaskId, by: string): Promise<CancelOutcome | undefined>;
  /** Undefined when the task is not a repeating one. Rejects as `TaskService.change` does. */
  change(id: TaskId, change: TaskChange, by: string): Promise<ChangeOutcome | undefined>;
  /** From now on, this process runs what is due, including what earlier processes left. Call it once. */
  keep(): Promise<void>;
}

/** At most this many reports wait for a task. Further ones are skipped, and that is recorded. */
const MOST_REPORTED = 100;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export interface RepeatingTasksDeps {
  readonly log: EventLog;
  readonly view: LogView<TasksView>;
  readonly ids: IdSource;
  /** Called with the first firing, so that nothing is loaded before. An abort suspends the work. */
  readonly openWorkflows: (advance: Advance, signal: AbortSignal) => Promise<Workflows>;
  readonly clock: Clock;
  /** The clock by which tasks become due, which may run faster. */
  readonly dueBy: { readonly clock: Clock; readonly speed: number };
  readonly turns: TurnRunner;
  readonly approvals: Pick<ApprovalDesk, "pending">;
  readonly outbox: Pick<Outbox, "tell">;
  readonly assertAgent: (agentId: string) => Promise<void>;
  readonly defaultAgent: string;
  /** The zone of schedules that name none. */
  readonly zone: string;
  /** What can report. Absent: any name may, since reports come from the embedding program. */
  readonly reporters?: (() => Reporters) | undefined;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}

export function createRepeatingTasks(deps: RepeatingTasksDeps): RepeatingTasks {
  const { log, ids, clock, dueBy } = deps;
  const group = openTaskGroup(deps.signal);
  const lane = createKeyedLane<TaskId>({ maxWaiting: 10_000 });
  const never = new AbortController().signal;
  let keeper: ScheduleKeeper | undefined;
  let known: TasksView | undefined;

  const look = async (): Promise<TasksView> => (known = (await deps.view.current()).state);
  const find = async (id: TaskId): Promise<TaskEntry | undefined> => (await look()).byId.get(id);
  const inTurn = <T>(id: TaskId, work: () => Promise<T>): Promise<T> => lane.run(id, never, work);

  /** In the background, and again with growing waits until it works. */
  const insist = (work: () => Promise<void>): void =>
    group.spawn(async (signal) => {
      for (let failed = 0; !signal.aborted; failed++) {
        try {
          await work();
          return;
        } catch (error) {
          if (signal.aborted) return;
          if (failed === 0) deps.onBug(error);
          await clock.sleep(backoff(failed), signal).catch(() => undefined);
        }
      }
    });

  /** Hands over open firings; one that another replaces is ended first. Within the task's lane. */
  const carryOpen = async (entry: TaskEntry): Promise<void> => {
    await look();
    for (const firing of replacedFirings(entry)) {
      await deps.turns.stop(turnOf(entry, firing), "the next run");
      await look();
      await workflows.wake(entry, firing);
    }
    for (const firing of openFirings(entry)) await workflows.carry(entry, firing);
  };

  /** Each due slot is in the log once, fired or skipped, before anything runs. */
  const decided: ScheduleKeeperDeps["decided"] = (taskId, decisions) =>
    inTurn(taskId, async () => {
      const entry = await find(taskId);
      if (entry === undefined || entry.outcome !== undefined) return;
      // Called again because the work could not be started: what is in the log stays.
      const { lastSlotAt = "" } = entry;
      const left = decisions
        .filter(({ dueAt }) => dueAt > lastSlotAt)
        // It may have been paused since this was decided.
        .map((one) => (entry.pausedAt === undefined ? one : skipped(one)));
      if (left.length > 0) await log.append(entry.task.stream, slotEvents(entry, left, ids));
      await carryOpen(entry);
      if (entry.closed) insist(() => reportMissed(deps.outbox, entry, left.at(-1)?.reason ?? "missed"));
    });

  /** Runs a task for its reports, one after the other. */
  const takeReports = (taskId: TaskId): Promise<void> =>
    inTurn(taskId, async () => {
      const entry = await find(taskId);
      if (entry === undefined || entry.outcome !== undefined) return;
      const { stream } = entry.task;
      if (entry.pausedAt !== undefined) {
        const passed = skippedReports(entry, 0, "paused");
        if (passed.length > 0) await log.append(stream, passed);
        await carryOpen(entry);
        return;
      }
      const reported = [...entry.reported];
      const tooMany = skippedReports(entry, MOST_REPORTED, `More than ${MOST_REPORTED} reports were waiting`);
      if (tooMany.length > 0) await log.append(stream, tooMany);
      const [oldest] = reported;
      if (oldest !== undefined && openFirings(entry).length === 0) {
        const [delivery, dueAt] = oldest;
        const reason = `Reported by ${entry.created.trigger?.hook ?? "a hook"}`;
        await log.append(stream, [firedEvent(taskId, { firingId: delivery, dueAt, reason, delivery }, ids)]);
      }
      await carryOpen(entry);
    });

  /** Within the task's lane. */
  const complete = async (entry: TaskEntry, outcome: Outcome): Promise<void> => {
    const taskId = entry.task.id;
    keeper?.remove(taskId);
    await look();
    if (!entry.closed)
      await log.append(entry.task.stream, [{ type: "task.completed", data: { taskId, outcome } }]);
    await look();
  };

  /** Within the task's lane. */
  const endCancelled = async (entry: TaskEntry): Promise<void> => {
    await look();
    if (entry.closed) return;
    for (const firing of openFirings(entry)) await deps.turns.stop(turnOf(entry, firing), "owner");
    await workflows.cancel(entry.task.id);
    await complete(entry, "cancelled");
  };

  const { advance, settle } = createFiringSteps({
    ...deps,
    look,
    endTask: (entry, outcome) => inTurn(entry.task.id, () => complete(entry, outcome)),
    onSettled({ task, created }) {
      if (created.trigger !== undefined) insist(() => takeReports(task.id));
    },
  });
  const workflows = createTaskWorkflows({
    openWorkflows: () => deps.openWorkflows(advance, group.signal),
    look,
  });

  const keepOne = (entry: TaskEntry): void => {
    const { id } = entry.task;
    const { schedule, trigger } = entry.created;
    if (schedule !== undefined && typeof schedule !== "string") keeper?.set(id, schedule, slotsSince(entry));
    if (trigger !== undefined && entry.reported.size > 0) insist(() => takeReports(id));
  };

  /** Repairs the state that an earlier process left of a task, and keeps the task from here on. Safe to repeat. */
  const goOn = async (entry: TaskEntry): Promise<void> => {
    const { id } = entry.task;
    if (entry.outcome !== undefined) {
      await inTurn(id, () => endCancelled(entry));
      return;
    }
    // The newest firing that ended may not be reported yet. Its workflow is not loaded for that.
    const last = [...entry.firings.values()].findLast(({ outcome }) => outcome !== undefined);
    if (last !== undefined && (await settle(entry, last)).stop) return;
    await inTurn(id, async () => {
      await carryOpen(entry);
      for (const firing of openFirings(entry)) await workflows.wake(entry, firing);
    });
    keepOne(entry);
  };

  const tellAsked = async (): Promise<void> => {
    const { byStream } = await look();
    for (const asked of await deps.approvals.pending()) {
      const entry = byStream.get(asked.stream);
      if (entry !== undefined && isRepeating(entry)) await reportAsked(deps.outbox, entry, asked);
    }
  };

  const react = async (event: CanonicalEvent): Promise<void> => {
    const { byHook, byStream } = await look();
    if (event.type === "hook.received")
      for (const { task } of byHook.get(event.data.hook) ?? []) insist(() => takeReports(task.id));
    if (event.type === "approval.requested") await tellAsked();
    if (event.type !== "approval.resolved") return;
    const entry = byStream.get(event.stream);
    for (const firing of openFirings(entry)) if (entry !== undefined) await workflows.wake(entry, firing);
  };

  /** Follows all reports, questions and answers from here on. */
  const follow = async (position: number, signal: AbortSignal): Promise<void> => {
    const types = ["hook.received", "approval.requested", "approval.resolved"] as const;
    for await (const { event: stored } of log.subscribeAll({ after: position, types }, signal)) {
      const read = readEvent(stored);
      if (read.kind === "known") insist(() => react(read.event));
    }
  };

  return {
    async create(request) {
      if (group.signal.aborted)
        throw new TasksError("shutting_down", "Deputy is shutting down; the task was not started.");
      if (request.hook !== undefined && deps.reporters !== undefined)
        assertReports(request.hook, deps.reporters());
      const opening = openRepeatingTask(request, { ...deps, nowMs: dueBy.clock.now() });
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
      return await inTurn(id, async (): Promise<CancelOutcome> => {
        if (entry.outcome !== undefined) return { kind: "already_ended", status: entry.outcome };
        await log.append(entry.task.stream, [{ type: "task.cancelled", data: { taskId: id, by } }]);
        await look();
        keeper?.remove(id);
        if (keeper !== undefined) insist(() => inTurn(id, () => endCancelled(entry)));
        return { kind: "cancelled" };
      });
    },

    async change(id, change, by) {
      const entry = await find(id);
      if (entry === undefined || !isRepeating(entry)) return undefined;
      return await inTurn(id, async (): Promise<ChangeOutcome> => {
        await look();
        if (entry.outcome !== undefined) return { kind: "already_ended", status: entry.outcome };
        const { zone } = deps;
        const events = changeEvents(entry, change, { ids, zone, by, nowMs: dueBy.clock.now() });
        if (events.length > 0) await log.append(entry.task.stream, events);
        await look();
        if (keeper === undefined) return { kind: "changed" };
        // Its only time passed while it was paused.
        if (entry.closed) insist(() => reportMissed(deps.outbox, entry, "paused"));
        else {
          keepOne(entry);
          if (change.kind === "run") insist(() => inTurn(id, () => carryOpen(entry)));
        }
        return { kind: "changed" };
      });
    },

    async keep() {
      const waiting = (id: TaskId): number => openFirings(known?.byId.get(id)).length;
      const isRunning = (id: TaskId): boolean => waiting(id) > 0;
      const isPaused = (id: TaskId): boolean => known?.byId.get(id)?.pausedAt !== undefined;
      const { onBug } = deps;
      const { signal } = group;
      // Measured by the machine's clock, whatever the speed of the tasks' clock.
      keeper = createScheduleKeeper({
        clock: dueBy.clock,
        get onTimeMs() {
          return ON_TIME_MS * dueBy.speed;
        },
        decided,
        isRunning,
        isPaused,
        waiting,
        onBug,
        signal,
      });
      const { state, position } = await deps.view.current();
      known = state;
      for (const entry of state.byId.values()) {
        if (!isRepeating(entry) || entry.closed) continue;
        // Most of them only wait.
        if (entry.outcome === undefined && entry.firings.size === 0) keepOne(entry);
        else insist(() => goOn(entry));
      }
      insist(tellAsked);
      group.spawn(async (until) => {
        await follow(position, until).catch((error: unknown) => {
          if (!until.aborted) onBug(error);
        });
      });
    },

    async [Symbol.asyncDispose]() {
      await using owned = new AsyncDisposableStack();
      owned.use(workflows);
      if (keeper !== undefined) owned.use(keeper);
      owned.use(group);
    },
  };
}

function backoff(failed: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failed, LONGEST_RETRY_MS);
}

function skipped({ dueAt, ...one }: SlotDecision): SlotDecision {
  const range = one.decision === "skip" && one.untilAt !== undefined ? { ...one } : {};
  return { ...range, decision: "skip", dueAt, reason: "paused" };
}

/** One service for tasks that run at once and tasks that run later. */
export function joinTasks(now: LogTaskService, later: RepeatingTasks): LogTaskService {
  return {
    ...now,
    create: async (request) => await (runsLater(request) ? later.create(request) : now.create(request)),
    cancel: async (id, by) => (await later.cancel(id, by)) ?? (await now.cancel(id, by)),
    change: async (id, change, by) =>
      (await later.change(id, change, by)) ?? (await now.change(id, change, by)),
    [Symbol.asyncDispose]: () => now[Symbol.asyncDispose](),
  };
}

function runsLater({ kind, schedule, hook }: TaskRequest): boolean {
  return schedule !== undefined || hook !== undefined || (kind !== undefined && kind !== "one-shot");
}
