import { packState, type Turn, unpackValue } from "@deputy/agent";
import { isRecord, type TaskId, type TurnId } from "@deputy/kit";
import type {
  CanonicalEvent,
  DeliveryStream,
  EventData,
  IndexedEventType,
  StreamId,
  Task,
} from "@deputy/protocol";

/** Every task that has not ended, and those that ended last, as the log's indexed events describe them. */
export interface TasksView {
  readonly byId: Map<TaskId, TaskEntry>;
  readonly byStream: Map<StreamId, TaskEntry>;
  /** Open tasks by the hook that they wait for. */
  readonly byHook: Map<string, Set<TaskEntry>>;
  /** Ended tasks, the most recently ended one last. */
  readonly ended: Set<TaskId>;
  /** True when older tasks were dropped from memory: a task that is missing here may be in the log. */
  hasForgotten: boolean;
}

export interface TaskEntry {
  task: Omit<Task, "status" | "nextAt" | "last" | "hook" | "requesterId" | "channelId">;
  /** As it was created, with what was edited since. */
  created: EventData<"task.created">;
  /** Since when it is paused; undefined: it is not. */
  pausedAt: string | undefined;
  /** Set as soon as it is certain: the last events of a cancelled task may still be to come. */
  outcome: Outcome | undefined;
  /** How its last turn ended, if it did. */
  turnOutcome: Outcome | undefined;
  /** True when `task.completed` is in the log. */
  closed: boolean;
  readonly waitingFor: Set<string>;
  /** Questions of its that were answered. */
  answers: number;
  /** For a task that runs more than once, or later: its newest firings, the oldest first. */
  readonly firings: Map<TurnId, Firing>;
  /** The newest time of its schedule that was fired or skipped, or that came before the schedule was changed. */
  lastSlotAt: string | undefined;
  /** When it is due next, according to the last event. */
  nextAt: string | undefined;
  /** Reports to its hook that it has not run for yet, by stream of the delivery. */
  readonly reported: Map<DeliveryStream, string>;
}

/** One time that a task ran. */
export interface Firing {
  readonly turnId: TurnId;
  readonly dueAt: string;
  /** The report that the firing is for. */
  readonly delivery: DeliveryStream | undefined;
  /** The number of the event that begins it in the task's stream. */
  readonly seq: number;
  /** Questions of the task's that were answered before it. */
  readonly answersBefore: number;
  /** True when the firing before it is stopped for it. */
  readonly replaces: boolean;
  /** Who asked for it to run now; undefined: its schedule or a report did. */
  readonly by: string | undefined;
  outcome: Outcome | undefined;
}

export type Outcome = "succeeded" | "failed" | "cancelled";

const TURN_OUTCOMES = {
  "turn.completed": "succeeded",
  "turn.failed": "failed",
  "turn.aborted": "cancelled",
} as const;

/** How many ended firings are remembered. Nothing asks about older ones. */
const REMEMBERED_FIRINGS = 20;
/** A task that ended before so many others is no longer listed, but can still be found by its id. */
const REMEMBERED_TASKS = 1_000;

export const TASK_EVENTS: readonly IndexedEventType[] = [
  "task.created",
  "task.scheduled",
  "task.fired",
  "task.skipped",
  "task.paused",
  "task.resumed",
  "task.edited",
  "task.cancelled",
  "task.completed",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "approval.requested",
  "approval.resolved",
  "hook.received",
];

export function createTasksView(): TasksView {
  return { byId: new Map(), byStream: new Map(), byHook: new Map(), ended: new Set(), hasForgotten: false };
}

/** The view's snapshot: each task once. */
export function packTasks({ byId, ended, hasForgotten }: TasksView): unknown {
  return packState({ tasks: [...byId.values()], ended, hasForgotten });
}

export function unpackTasks(view: TasksView, packed: unknown): void {
  const { tasks, ended, hasForgotten } = unpackValue(packed) as {
    tasks: TaskEntry[];
    ended: Set<TaskId>;
    hasForgotten: boolean;
  };
  for (const entry of tasks) addEntry(view, entry);
  for (const id of ended) view.ended.add(id);
  view.hasForgotten = hasForgotten;
}

export function applyTaskEvent(view: TasksView, event: CanonicalEvent): void {
  if (event.type === "task.created") {
    addTask(view, event);
    return;
  }
  if (event.type === "hook.received") {
    if (!isDelivery(event.stream)) return;
    for (const entry of view.byHook.get(event.data.hook) ?? [])
      if (matchesFilter(event.data.payload, entry.created.trigger?.filter))
        entry.reported.set(event.stream, event.at);
    return;
  }
  const entry = view.byStream.get(event.stream);
  if (entry === undefined) return;
  switch (event.type) {
    case "task.cancelled":
      entry.outcome ??= "cancelled";
      forgetHook(view, entry);
      break;
    case "task.completed":
      entry.outcome ??= event.data.outcome;
      entry.closed = true;
      forgetHook(view, entry);
      forgetOldest(view, entry.task.id);
      break;
    case "task.paused":
      entry.pausedAt = event.at;
      break;
    case "task.resumed":
      entry.pausedAt = undefined;
      break;
    case "task.edited":
      applyEdit(entry, event.data);
      break;
    case "task.scheduled":
      entry.nextAt = event.data.dueAt;
      break;
    case "task.fired":
    case "task.skipped":
      applySlot(entry, event);
      break;
    case "turn.completed":
    case "turn.failed":
    case "turn.aborted":
      entry.turnOutcome = TURN_OUTCOMES[event.type];
      endFiring(entry, event.turnId, TURN_OUTCOMES[event.type]);
      break;
    case "approval.requested":
      entry.waitingFor.add(event.data.approvalId);
      break;
    case "approval.resolved":
      entry.answers += 1;
      entry.waitingFor.delete(event.data.approvalId);
      break;
    default:
  }
}

/** True when the task does not run at once when it is created, but later or several times. */
export function isRepeating({ created }: TaskEntry): boolean {
  return created.kind !== "one-shot" || created.schedule !== undefined;
}

export function toTask(entry: TaskEntry): Task {
  const { outcome, nextAt, created } = entry;
  const task = {
    ...entry.task,
    ...(created.requesterId === undefined ? {} : { requesterId: created.requesterId }),
    ...(created.channelId === undefined ? {} : { channelId: created.channelId }),
    ...(created.trigger === undefined ? {} : { hook: created.trigger.hook }),
    ...lastOf(entry),
  };
  if (outcome !== undefined) return { ...task, status: outcome };
  if (entry.waitingFor.size > 0) return { ...task, status: "waiting" };
  const isIdle = isRepeating(entry) && openFirings(entry).length === 0;
  if (entry.pausedAt !== undefined) return { ...task, status: isIdle ? "paused" : "running" };
  const next = nextAt === undefined ? {} : { nextAt };
  return { ...task, ...next, status: isIdle ? "scheduled" : "running" };
}

function lastOf({ firings }: TaskEntry): Pick<Task, "last"> {
  const ended = [...firings.values()].findLast((one) => one.outcome !== undefined);
  if (ended?.outcome === undefined) return {};
  return { last: { dueAt: ended.dueAt, outcome: ended.outcome } };
}

/** Firings whose turn has not ended, oldest first. */
export function openFirings(entry: TaskEntry | undefined): readonly Firing[] {
  return [...(entry?.firings.values() ?? [])].filter(({ outcome }) => outcome === undefined);
}

/** Open firings that a later one replaces. */
export function replacedFirings(entry: TaskEntry): readonly Firing[] {
  const open = openFirings(entry);
  const newest = [...entry.firings.values()].findLast(({ replaces }) => replaces);
  return newest === undefined ? [] : open.filter(({ seq }) => seq < newest.seq);
}

/** The turn of a firing. */
export function turnOf(
  { task: { id, stream, agentId } }: Pick<TaskEntry, "task">,
  { turnId }: Pick<Firing, "turnId">,
): Turn {
  return { stream, turnId, agentId, sessionKey: `task:${id}` };
}

function isDelivery(stream: StreamId): stream is DeliveryStream {
  return stream.startsWith("delivery:");
}

type EventOfType<T extends CanonicalEvent["type"]> = Extract<CanonicalEvent, { type: T }>;

function addTask(view: TasksView, event: EventOfType<"task.created">): void {
  const { taskId: id, kind, prompt, agentId } = event.data;
  const entry: TaskEntry = {
    task: { id, kind, prompt, agentId, stream: event.stream, createdAt: event.at },
    created: event.data,
    pausedAt: undefined,
    outcome: undefined,
    turnOutcome: undefined,
    closed: false,
    waitingFor: new Set(),
    answers: 0,
    firings: new Map(),
    lastSlotAt: undefined,
    nextAt: undefined,
    reported: new Map(),
  };
  addEntry(view, entry);
}

function addEntry(view: TasksView, entry: TaskEntry): void {
  view.byId.set(entry.task.id, entry);
  view.byStream.set(entry.task.stream, entry);
  const { trigger } = entry.created;
  if (trigger === undefined || entry.outcome !== undefined) return;
  const waiting = view.byHook.get(trigger.hook) ?? new Set();
  view.byHook.set(trigger.hook, waiting.add(entry));
}

function forgetOldest(view: TasksView, justEnded: TaskId): void {
  const [oldest] = view.ended.add(justEnded);
  if (oldest === undefined || view.ended.size <= REMEMBERED_TASKS) return;
  const stream = view.byId.get(oldest)?.task.stream;
  view.ended.delete(oldest);
  view.byId.delete(oldest);
  if (stream !== undefined) view.byStream.delete(stream);
  view.hasForgotten = true;
}

function forgetHook(view: TasksView, entry: TaskEntry): void {
  view.byHook.get(entry.created.trigger?.hook ?? "")?.delete(entry);
  entry.reported.clear();
}

function applySlot(entry: TaskEntry, { type, data, seq }: EventOfType<"task.fired" | "task.skipped">): void {
  const by = "by" in data ? data.by : undefined;
  const isSlot = data.delivery === undefined && by === undefined;
  if (data.delivery !== undefined) entry.reported.delete(data.delivery);
  const slotAt = ("untilAt" in data ? data.untilAt : undefined) ?? data.dueAt;
  if (isSlot && (entry.lastSlotAt === undefined || slotAt > entry.lastSlotAt)) entry.lastSlotAt = slotAt;
  if (type !== "task.fired" || data.turnId === undefined) return;
  const { turnId, dueAt, delivery } = data;
  const { answers: answersBefore } = entry;
  const replaces = "replaces" in data && data.replaces === true;
  entry.firings.set(turnId, {
    turnId,
    dueAt,
    delivery,
    seq,
    answersBefore,
    replaces,
    by,
    outcome: undefined,
  });
}

function applyEdit(entry: TaskEntry, { prompt, schedule, fromAt }: EventData<"task.edited">): void {
  if (prompt !== undefined) {
    entry.task = { ...entry.task, prompt };
    entry.created = { ...entry.created, prompt };
  }
  if (schedule === undefined) return;
  entry.created = { ...entry.created, schedule };
  if (fromAt !== undefined && fromAt > (entry.lastSlotAt ?? "")) entry.lastSlotAt = fromAt;
}

function endFiring(entry: TaskEntry, turnId: TurnId | undefined, outcome: Outcome): void {
  const firing = turnId === undefined ? undefined : entry.firings.get(turnId);
  if (firing !== undefined) firing.outcome = outcome;
  const ended = [...entry.firings.values()].filter((one) => one.outcome !== undefined);
  for (const one of ended.slice(0, -REMEMBERED_FIRINGS)) entry.firings.delete(one.turnId);
}

/**
 * True if the report has every field of the filter, with that value. Nested objects are compared in the same
 * way.
 */
function matchesFilter(payload: unknown, filter: unknown): boolean {
  if (filter === undefined) return true;
  if (!isRecord(filter)) return JSON.stringify(payload) === JSON.stringify(filter);
  return (
    isRecord(payload) &&
    Object.entries(filter).every(
      ([name, wanted]) => Object.hasOwn(payload, name) && matchesFilter(payload[name], wanted),
    )
  );
}
