import { createLandmarkView, StopRequest, type Turn, type TurnOutcome } from "@deputy/agent";
import { CodedError, createKeyedLane, type IdSource, openTaskGroup, type TaskId } from "@deputy/kit";
import type { CreateTask, EventLog, NewEvent, Task } from "@deputy/protocol";
import type { TaskService } from "./task-service.ts";
import { TasksError } from "./tasks-error.ts";
import { applyTaskLandmark, createTasksView, TASK_LANDMARKS, toTask } from "./tasks-view.ts";

/** What a task does once it is recorded: a turn of an agent, or a program of the user's. */
export type TaskWork = (turn: Turn, signal: AbortSignal) => Promise<TurnOutcome>;

export interface LogTaskService extends TaskService, AsyncDisposable {
  /** As `create`, with work of the caller's; `done` resolves once the task's end is in the log. */
  start(
    request: CreateTask,
    work: TaskWork,
  ): Promise<{ readonly task: Task; readonly done: Promise<TurnOutcome> }>;
  /** Run once at start, after the turns: records the end of every task that an earlier process left without one. */
  endInterrupted(): Promise<void>;
}

const MAX_RUNNING_TASKS = 50;
const DEFAULT_AGENT = "main";

/** One-shot tasks over the event log: each is a session of its own with one turn. */
export function createLogTaskService(deps: {
  readonly log: EventLog;
  readonly ids: IdSource;
  readonly work: TaskWork;
  /** Told of bugs, which no task's outcome can carry. */
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): LogTaskService {
  const { log, ids } = deps;
  const view = createLandmarkView(log, TASK_LANDMARKS, createTasksView(), applyTaskLandmark);
  const running = new Map<TaskId, AbortController>();
  const cancelling = createKeyedLane<TaskId>({ maxWaiting: MAX_RUNNING_TASKS });
  const never = new AbortController().signal;
  const group = openTaskGroup(deps.signal);

  const find = async (id: TaskId) => (await view.current()).state.byId.get(id);

  const carryOut = async (
    taskId: TaskId,
    turn: Turn,
    work: TaskWork,
    signal: AbortSignal,
  ): Promise<TurnOutcome> => {
    const outcome = await work(turn, signal).catch((error: unknown): TurnOutcome => {
      if (error instanceof CodedError)
        return { kind: "failed", code: String(error.code), message: error.message };
      deps.onBug(error);
      return { kind: "failed", code: "internal", message: "Something went wrong inside Deputy." };
    });
    running.delete(taskId);
    const ended = ({ completed: "succeeded", failed: "failed", aborted: "cancelled" } as const)[outcome.kind];
    await log.append(turn.stream, [{ type: "task.completed", data: { taskId, outcome: ended } }]);
    return outcome;
  };

  const start: LogTaskService["start"] = async (request, work) => {
    refuseUnavailable(request);
    if (group.signal.aborted)
      throw new TasksError("shutting_down", "Deputy is shutting down; the task was not started.");
    if (running.size >= MAX_RUNNING_TASKS) {
      throw new TasksError("too_many_tasks", `${MAX_RUNNING_TASKS} tasks are already running.`, {
        hint: "Wait for one to end, or cancel one.",
      });
    }
    const taskId = ids.next("task");
    const turn: Turn = {
      stream: ids.next("session"),
      turnId: ids.next("turn"),
      agentId: request.agentId ?? DEFAULT_AGENT,
      sessionKey: request.sessionKey ?? `task:${taskId}`,
    };
    const stop = new AbortController();
    running.set(taskId, stop);
    try {
      await log.append(turn.stream, openingEvents(taskId, turn, request));
    } catch (error) {
      running.delete(taskId);
      throw error;
    }
    const done = new Promise<TurnOutcome>((resolve, reject) => {
      group.spawn((signal) =>
        carryOut(taskId, turn, work, AbortSignal.any([signal, stop.signal])).then(
          resolve,
          (error: unknown) => {
            deps.onBug(error);
            reject(error);
          },
        ),
      );
    });
    done.catch(() => undefined); // Reported above; who starts a task need not wait for it.
    const entry = await find(taskId);
    if (entry === undefined) throw new Error(`Task ${taskId} is not in the log it was just written to`);
    return { task: toTask(entry), done };
  };

  return {
    start,
    create: async (request) => (await start(request, deps.work)).task,

    async list() {
      return [...(await view.current()).state.byId.values()].map(toTask).reverse();
    },

    async get(id) {
      const entry = await find(id);
      return entry === undefined ? undefined : toTask(entry);
    },

    cancel(id, by) {
      return cancelling.run(id, never, async () => {
        const entry = await find(id);
        if (entry === undefined) return { kind: "unknown" };
        if (entry.outcome !== undefined) return { kind: "already_ended", status: entry.outcome };
        await log.append(entry.task.stream, [{ type: "task.cancelled", data: { taskId: id, by } }]);
        running.get(id)?.abort(new StopRequest(by));
        return { kind: "cancelled" };
      });
    },

    async endInterrupted() {
      const { state } = await view.current();
      for (const entry of [...state.byId.values()].filter(({ closed }) => !closed)) {
        const outcome = entry.outcome ?? entry.turnOutcome ?? "failed";
        await log.append(entry.task.stream, [
          { type: "task.completed", data: { taskId: entry.task.id, outcome } },
        ]);
      }
    },

    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

/** What is not enforced yet is refused: a limit that silently does nothing would be worse than none. */
function refuseUnavailable({ kind, schedule, budget }: CreateTask): void {
  if (kind !== undefined && kind !== "one-shot") {
    throw new TasksError("not_available", `Tasks of kind ${kind} are not available yet.`, {
      hint: "Leave `kind` out to run it once, now.",
    });
  }
  if (schedule !== undefined)
    throw new TasksError("not_available", "Schedules are not available yet.", {
      hint: "Leave `schedule` out.",
    });
  if (budget !== undefined)
    throw new TasksError("not_available", "Budgets are not available yet.", { hint: "Leave `budget` out." });
}

function openingEvents(taskId: TaskId, turn: Turn, request: CreateTask): NewEvent[] {
  const { agentId, sessionKey, turnId } = turn;
  const { prompt, requesterId, channelId } = request;
  const optional = {
    ...(requesterId === undefined ? {} : { requesterId }),
    ...(channelId === undefined ? {} : { channelId }),
  };
  const said = {
    text: prompt,
    attachments: [],
    channel: "task",
    sender: requesterId ?? "owner",
    trust: "user" as const,
  };
  return [
    { type: "session.started", data: { agentId, key: sessionKey, channel: "task" } },
    { type: "task.created", data: { taskId, kind: "one-shot", prompt, agentId, sessionKey, ...optional } },
    { type: "user.message", turnId, data: said },
  ];
}
