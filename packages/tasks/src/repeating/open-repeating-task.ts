import type { IdSource, SessionId, TaskId } from "@deputy/kit";
import type { EventData, NewEvent, Schedule } from "@deputy/protocol";
import { describeFilter, describeSchedule, parseSchedule } from "@deputy/protocol/schedule";
import { nextSlots } from "../schedules/next-slots.ts";
import type { TaskRequest, TaskPlan } from "../task-service.ts";
import { TasksError } from "../tasks-error.ts";
import { isRepeating, type TaskEntry } from "../tasks-view.ts";

export interface OpeningOfTask {
  readonly taskId: TaskId;
  readonly stream: SessionId;
  readonly agentId: string;
  readonly events: readonly NewEvent[];
}

/**
 * The first events of a task that does not run at once. Throws `invalid_task` for fields that contradict each
 * other, and like `parseSchedule`.
 */
export function openRepeatingTask(
  request: TaskRequest,
  deps: {
    readonly ids: IdSource;
    readonly defaultAgent: string;
    readonly nowMs: number;
    /** The zone of schedules that name none. */
    readonly zone: string;
  },
): OpeningOfTask {
  const { ids } = deps;
  const schedule = request.schedule === undefined ? undefined : parseSchedule(request.schedule, deps);
  const { prompt, kind = kindOf(schedule), hook, filter } = request;
  if (prompt === undefined || request.program !== undefined)
    throw misfit("A task that runs later needs a prompt; programs run at once", "Leave `program` out.");
  if (kind === "event" && (hook === undefined || schedule !== undefined))
    throw misfit("A task of kind event needs `hook`, and no schedule", "Say whose reports it waits for.");
  if (kind !== "event" && (hook !== undefined || filter !== undefined))
    throw misfit("`hook` and `filter` are for tasks of kind event", 'Say `kind: "event"`.');
  if (kind === "recurring" && (schedule === undefined || schedule.kind === "at"))
    throw misfit(
      "A recurring task needs a schedule that comes again",
      "Such as `0 9 * * *`, or `every 30m`.",
    );
  if (kind === "one-shot" && schedule?.kind !== "at")
    throw misfit("A task that runs once has a single time", 'Say `kind: "recurring"`, or `at` a time.');
  const [first] = schedule === undefined ? [] : nextSlots(schedule, deps.nowMs, 1);
  if (schedule !== undefined && first === undefined)
    throw misfit("That is never due", "Look at the schedule: its time may have passed.");
  const taskId = ids.next("task");
  const stream = ids.next("session");
  const agentId = request.agentId ?? deps.defaultAgent;
  const { requesterId, channelId, budget, writtenBy, sessionKey } = request;
  const optional: Partial<EventData<"task.created">> = {
    ...(schedule === undefined ? {} : { schedule }),
    ...(hook === undefined ? {} : { trigger: { hook, ...(filter === undefined ? {} : { filter }) } }),
    ...(requesterId === undefined ? {} : { requesterId }),
    ...(channelId === undefined ? {} : { channelId }),
    ...(budget === undefined ? {} : { budget }),
    ...(writtenBy === undefined ? {} : { writtenBy }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
  };
  const started: NewEvent = {
    type: "session.started",
    data: { agentId, key: `task:${taskId}`, channel: "task" },
  };
  const due: readonly NewEvent[] =
    first === undefined
      ? []
      : [{ type: "task.scheduled", data: { taskId, dueAt: new Date(first).toISOString() } }];
  const created: NewEvent = { type: "task.created", data: { taskId, kind, prompt, agentId, ...optional } };
  return { taskId, stream, agentId, events: [started, created, ...due] };
}

function kindOf(schedule: Schedule | undefined): "one-shot" | "recurring" | "event" {
  if (schedule === undefined) return "event";
  return schedule.kind === "at" ? "one-shot" : "recurring";
}

export function misfit(message: string, hint: string): TasksError {
  return new TasksError("invalid_task", `${message}.`, { hint });
}

/** How many times are shown to a user who sets a schedule. */
const NEXT_TIMES = 5;

export function planOf(entry: TaskEntry, nowMs: number): TaskPlan | undefined {
  if (!isRepeating(entry) || entry.outcome !== undefined) return undefined;
  const { schedule, trigger } = entry.created;
  if (trigger !== undefined) return { runs: describeTrigger(trigger), next: [] };
  if (schedule === undefined || typeof schedule === "string") return { runs: schedule ?? "later", next: [] };
  const zone = "zone" in schedule && schedule.zone !== undefined ? { zone: schedule.zone } : {};
  if (entry.pausedAt !== undefined) return { runs: describeSchedule(schedule), next: [], ...zone };
  // The tasks' clock may be ahead of this caller's: decided slots do not come again.
  const saidMs = entry.nextAt === undefined ? -Infinity : Date.parse(entry.nextAt) - 1;
  const slots = nextSlots(schedule, Math.max(nowMs, saidMs), NEXT_TIMES);
  return {
    runs: describeSchedule(schedule),
    next: slots.map((ms) => new Date(ms).toISOString()),
    ...zone,
  };
}

/** What reports to Deputy, by name, each list sorted: tasks can wait for these. */
export interface Reporters {
  readonly hooks: readonly string[];
  readonly mailboxes: readonly string[];
  readonly folders: readonly string[];
}

/** The words for a task that would wait for ever; undefined if something of that name can report. */
export function describeUnknownReporter(
  name: string,
  { hooks, mailboxes, folders }: Reporters,
): { readonly message: string; readonly hint: string } | undefined {
  const lists = { hooks, mailboxes, folders };
  if (Object.values(lists).some((names) => names.includes(name))) return undefined;
  const known = Object.entries(lists).flatMap(([kind, names]) =>
    names.length === 0 ? [] : [`${kind}: ${names.join(", ")}`],
  );
  return {
    message: `No hook, mailbox or folder is called “${name}”, so this task would never run.`,
    hint:
      known.length === 0
        ? "None is set up yet. The user can create a hook with `deputy hooks add NAME`, or add a mailbox or folder under `events` in the settings."
        : `There are ${known.join("; ")}.`,
  };
}

/** When a task with this trigger runs: `whenever mail reports something with folder "inbox"`. */
export function describeTrigger({
  hook,
  filter = {},
}: NonNullable<EventData<"task.created">["trigger"]>): string {
  const only = describeFilter(filter);
  return `whenever ${hook} reports something${only === "" ? "" : ` with ${only}`}`;
}

/** Throws `invalid_task`. */
export function assertReports(name: string, reporters: Reporters): void {
  const problem = describeUnknownReporter(name, reporters);
  if (problem !== undefined) throw new TasksError("invalid_task", problem.message, { hint: problem.hint });
}
