import {
  type LogView,
  PROGRAM_AGENT,
  programEntry,
  StopRequest,
  SuspendRequest,
  type Turn,
  type TurnOutcome,
  type TurnRunner,
} from "@deputy/agent";
import {
  type CellId,
  CodedError,
  createKeyedLane,
  type IdSource,
  openTaskGroup,
  type TaskId,
  span,
} from "@deputy/kit";
import type { CreateTask, EventData, EventLog, NewEvent, Program, StreamId, Task } from "@deputy/protocol";
import { describeSchedule, parseSchedule } from "@deputy/protocol/schedule";
import { changeEvents } from "./repeating/change-events.ts";
import { planOf } from "./repeating/open-repeating-task.ts";
import { findTask, openTasksView } from "./open-tasks-view.ts";
import { nextSlots } from "./schedules/next-slots.ts";
import type { TaskRequest, TaskService } from "./task-service.ts";
import { TasksError } from "./tasks-error.ts";
import { isRepeating, type TaskEntry, type TasksView, toTask } from "./tasks-view.ts";

/** The work of a task once it is recorded: a turn of an agent, or a program of the user. */
export type TaskWork = (turn: Turn, signal: AbortSignal) => Promise<TurnOutcome>;

export interface LogTaskService extends TaskService, AsyncDisposable {
  /**
   * Like `create`, or with work that the caller gives. `done` resolves once the task's end is in the log, and rejects
   * with a `SuspendRequest` when the service was disposed before.
   */
  start(
    request: TaskRequest,
    work?: TaskWork,
  ): Promise<{ readonly task: Task; readonly done: Promise<TurnOutcome> }>;
  /** Streams of the tasks that an earlier process left in the middle of their work. */
  interrupted(): Promise<readonly StreamId[]>;
  /**
   * Run once at start: records the end of tasks that lack nothing else, such as cancelled ones. Those that
   * are `interrupted` are left as they are.
   */
  endFinished(): Promise<void>;
  /**
   * Continues the interrupted tasks in the background. A task that cannot be continued is left unchanged, and
   * `onStuck` gets the reason.
   */
  goOn(onStuck: (task: TaskId, error: unknown) => void): Promise<void>;
}

/** A task whose work is to be continued: a program of the user, with its plugins, or a turn of an agent. */
export type InterruptedTask = Pick<EventData<"task.created">, "program" | "plugins">;

const MAX_RUNNING_TASKS = 50;
const DEFAULT_AGENT = "main";

/** One-shot tasks over the event log: each is a session of its own with one turn. */
export function createLogTaskService(deps: {
  readonly log: EventLog;
  /** A view that is shared with other readers of tasks. Default: a view of its own. */
  readonly view?: LogView<TasksView>;
  readonly ids: IdSource;
  readonly work: TaskWork;
  /** The agent of tasks that name none. Default “main”. */
  readonly defaultAgent?: string;
  /** Rejects for an agent that is not there, and `create` with it; nothing is written then. */
  readonly assertAgent?: (agentId: string) => Promise<void>;
  /**
   * The work of a program's task; without it, programs are refused. What it rejects with, `create` rejects
   * with: nothing is written then.
   */
  readonly prepareProgram?: (program: Program, cellId: CellId) => Promise<TaskWork>;
  /** Gives the work that continues an interrupted task; rejects when there is none. Default: the same work again. */
  readonly resumeWork?: (task: InterruptedTask) => Promise<TaskWork>;
  /**
   * Plugins that every task here can use, in addition to those of the configuration. They are needed again to
   * continue a task.
   */
  readonly plugins?: readonly string[];
  /** The time from which plans and previews are computed. Default: the machine's clock. */
  readonly now?: () => number;
  /** Ends the turn of a task that does not run here. Absent: only its work ends it. */
  readonly stop?: TurnRunner["stop"];
  /** Writes the ends of tasks, and may wait for room on the disk. Default: the log itself. */
  readonly ends?: Pick<EventLog, "append">;
  /** Called for bugs, which no task's outcome can carry. */
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): LogTaskService {
  const { log, ids, view = openTasksView(deps.log), ends = deps.log } = deps;
  const running = new Map<TaskId, AbortController>();
  const cancelling = createKeyedLane<TaskId>({ maxWaiting: MAX_RUNNING_TASKS });
  const never = new AbortController().signal;
  const group = openTaskGroup(deps.signal);

  const find = async (id: TaskId) => await findTask(log, (await view.current()).state, id);
  const interruptedEntries = async () =>
    [...(await view.current()).state.byId.values()].filter(
      (entry) =>
        !isRepeating(entry) &&
        !entry.closed &&
        entry.outcome === undefined &&
        entry.turnOutcome === undefined,
    );

  const carryOut = async (
    taskId: TaskId,
    turn: Turn,
    work: TaskWork,
    signal: AbortSignal,
  ): Promise<TurnOutcome> => {
    const about = { "deputy.task.id": taskId, "gen_ai.agent.name": turn.agentId };
    const outcome = await span("task.run", about, async (note) => {
      const ended = await work(turn, signal);
      note({ "deputy.outcome": ended.kind });
      if (ended.kind === "failed") note({ "error.type": ended.code });
      return ended;
    }).catch((error: unknown): TurnOutcome => {
      if (error instanceof SuspendRequest) throw error;
      if (error instanceof CodedError)
        return { kind: "failed", code: String(error.code), message: error.message };
      deps.onBug(error);
      return { kind: "failed", code: "internal", message: "Something went wrong inside Deputy." };
    });
    running.delete(taskId);
    const ended = ({ completed: "succeeded", failed: "failed", aborted: "cancelled" } as const)[outcome.kind];
    await ends.append(turn.stream, [{ type: "task.completed", data: { taskId, outcome: ended } }]);
    return outcome;
  };

  /** Shutting down suspends a task; only the user cancels one. */
  const launch = (
    taskId: TaskId,
    turn: Turn,
    work: TaskWork,
    stop: AbortController,
  ): Promise<TurnOutcome> => {
    const done = new Promise<TurnOutcome>((resolve, reject) => {
      group.spawn(async (signal) => {
        const suspend = (): void => stop.abort(new SuspendRequest());
        signal.addEventListener("abort", suspend, { once: true });
        try {
          resolve(await carryOut(taskId, turn, work, stop.signal));
        } catch (error) {
          if (!(error instanceof SuspendRequest)) deps.onBug(error);
          reject(error);
        } finally {
          signal.removeEventListener("abort", suspend);
        }
      });
    });
    done.catch(() => undefined); // Reported above; who starts a task need not wait for it.
    return done;
  };

  /** Ends a task that nothing works on, and its turn. */
  const close = async (entry: TaskEntry, by: string): Promise<void> => {
    const { task, created } = entry;
    if (entry.turnOutcome === undefined) await deps.stop?.(await readTurn(log, task.stream, created), by);
    const outcome = entry.outcome ?? entry.turnOutcome ?? "cancelled";
    await ends.append(task.stream, [{ type: "task.completed", data: { taskId: task.id, outcome } }]);
  };

  const refuseWhenStopping = (): void => {
    if (group.signal.aborted)
      throw new TasksError("shutting_down", "Deputy is shutting down; the task was not started.");
  };

  const workOf = async ({ program }: CreateTask, cellId: CellId): Promise<TaskWork> => {
    if (program === undefined) return deps.work;
    if (deps.prepareProgram !== undefined) return await deps.prepareProgram(program, cellId);
    throw new TasksError("not_available", "Programs cannot be run as tasks here.", {
      hint: "Leave `program` out.",
    });
  };

  const start: LogTaskService["start"] = async (request, given) => {
    refuseUnavailable(request);
    refuseWhenStopping();
    if (running.size >= MAX_RUNNING_TASKS) {
      throw new TasksError("too_many_tasks", `${MAX_RUNNING_TASKS} tasks are already running.`, {
        hint: "Wait for one to end, or cancel one.",
      });
    }
    const taskId = ids.next("task");
    const turn: Turn = {
      stream: ids.next("session"),
      turnId: ids.next("turn"),
      agentId:
        request.agentId ??
        (request.program === undefined ? (deps.defaultAgent ?? DEFAULT_AGENT) : PROGRAM_AGENT),
      sessionKey: request.sessionKey ?? `task:${taskId}`,
    };
    const stop = new AbortController();
    // Counted from here on: preparing a program may take its time.
    running.set(taskId, stop);
    let work: TaskWork;
    const cellId = ids.next("cell");
    try {
      if (request.program === undefined) await deps.assertAgent?.(turn.agentId);
      work = given ?? (await workOf(request, cellId));
      refuseWhenStopping();
      const { program } = request;
      const journal =
        program === undefined ? [] : [programEntry(cellId, { code: program.code, startedAtMs: 0 })];
      const plugins = program === undefined ? deps.plugins : program.plugins;
      await log.append(turn.stream, openingEvents(taskId, turn, request, { cellId, plugins }), { journal });
    } catch (error) {
      running.delete(taskId);
      throw error;
    }
    const done = launch(taskId, turn, work, stop);
    const entry = await find(taskId);
    if (entry === undefined) throw new Error(`Task ${taskId} is not in the log it was just written to`);
    return { task: toTask(entry), done };
  };

  return {
    start,
    create: async (request) => (await start(request)).task,

    async list() {
      return [...(await view.current()).state.byId.values()].map(toTask).reverse();
    },

    async get(id) {
      const entry = await find(id);
      return entry === undefined ? undefined : toTask(entry);
    },

    async plan(id) {
      const entry = await find(id);
      return entry && planOf(entry, (deps.now ?? Date.now)());
    },

    preview(said, { zone, count }) {
      const nowMs = (deps.now ?? Date.now)();
      const schedule = parseSchedule(said, { zone, nowMs });
      const next = nextSlots(schedule, nowMs, count).map((ms) => new Date(ms).toISOString());
      return { runs: describeSchedule(schedule), next, schedule };
    },

    cancel(id, by) {
      return cancelling.run(id, never, async () => {
        const entry = await find(id);
        if (entry === undefined) return { kind: "unknown" };
        if (entry.outcome !== undefined) return { kind: "already_ended", status: entry.outcome };
        await log.append(entry.task.stream, [{ type: "task.cancelled", data: { taskId: id, by } }]);
        const here = running.get(id);
        here?.abort(new StopRequest(by));
        // What runs later is ended by the process that keeps schedules, with the turns that are open then.
        if (here === undefined && deps.stop !== undefined && !isRepeating(entry)) await close(entry, by);
        return { kind: "cancelled" };
      });
    },

    change(id, change, by) {
      return cancelling.run(id, never, async () => {
        const entry = await find(id);
        if (entry === undefined) return { kind: "unknown" };
        if (entry.outcome !== undefined) return { kind: "already_ended", status: entry.outcome };
        if (!isRepeating(entry))
          throw new TasksError("not_available", "A task that runs at once cannot be changed.", {
            hint: "Cancel it, and ask for another.",
          });
        const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
        const nowMs = (deps.now ?? Date.now)();
        const events = changeEvents(entry, change, { ids, zone, by, nowMs });
        if (events.length > 0) await log.append(entry.task.stream, events);
        return { kind: "changed" };
      });
    },

    interrupted: async () => (await interruptedEntries()).map(({ task }) => task.stream),

    async endFinished() {
      const { state } = await view.current();
      for (const entry of state.byId.values()) {
        const outcome = entry.outcome ?? entry.turnOutcome;
        if (!entry.closed && outcome !== undefined && !isRepeating(entry)) await close(entry, "owner");
      }
    },

    async goOn(onStuck) {
      const entries = (await interruptedEntries()).filter(({ task }) => !running.has(task.id));
      // All tasks are known as running before the first one runs, so that a cancel reaches each of them from here on.
      const begun = entries.map(({ task, created }) => ({ task, created, stop: new AbortController() }));
      for (const { task, stop } of begun) running.set(task.id, stop);
      for (const { task, created, stop } of begun) {
        try {
          const turn = await readTurn(log, task.stream, created);
          const work = (await deps.resumeWork?.(created)) ?? deps.work;
          void launch(task.id, turn, work, stop);
        } catch (error) {
          running.delete(task.id);
          onStuck(task.id, error);
        }
      }
    },

    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

/** Options that are not enforced yet are refused: a limit that silently does nothing would be worse than none. */
function refuseUnavailable({ kind, schedule, program, budget }: CreateTask): void {
  if (kind !== undefined && kind !== "one-shot") {
    throw new TasksError("not_available", `Tasks of kind ${kind} are not available here.`, {
      hint: "Leave `kind` out to run it once, now.",
    });
  }
  if (schedule !== undefined)
    throw new TasksError("not_available", "Schedules are not available here.", {
      hint: "Leave `schedule` out.",
    });
  if (budget !== undefined && program !== undefined)
    throw new TasksError(
      "not_available",
      "A program of yours has no budget: it has the limits of every program.",
      {
        hint: "Leave `budget` out.",
      },
    );
}

/** The turn that a task was created with: its first message carries it. */
async function readTurn(log: EventLog, stream: StreamId, created: EventData<"task.created">): Promise<Turn> {
  for await (const { type, turnId } of log.read(stream)) {
    if (type !== "user.message" || turnId === undefined) continue;
    const { taskId, agentId, sessionKey = `task:${taskId}` } = created;
    return { stream, turnId, agentId, sessionKey };
  }
  throw new Error(`${stream} has no message to continue from`);
}

function openingEvents(
  taskId: TaskId,
  turn: Turn,
  request: TaskRequest,
  { cellId, plugins = [] }: { readonly cellId: CellId; readonly plugins: readonly string[] | undefined },
): NewEvent[] {
  const { agentId, sessionKey, turnId } = turn;
  const { requesterId, channelId, program, budget } = request;
  const prompt = promptOf(request);
  const optional = {
    ...(budget === undefined ? {} : { budget }),
    ...(requesterId === undefined ? {} : { requesterId }),
    ...(channelId === undefined ? {} : { channelId }),
    ...(plugins.length === 0 ? {} : { plugins: [...plugins] }),
    ...(program === undefined ? {} : { program: programRef(program, cellId) }),
  };
  const isUsers = request.writtenBy === undefined && program?.writtenBy === undefined;
  const said = {
    text: prompt,
    ...(request.prompt === undefined ? { said: { start: 0, end: 0 } } : {}),
    attachments: [],
    channel: "task",
    sender: requesterId ?? (isUsers ? "owner" : "client"),
    trust: isUsers ? ("user" as const) : ("untrusted" as const),
  };
  return [
    { type: "session.started", data: { agentId, key: sessionKey, channel: "task" } },
    { type: "task.created", data: { taskId, kind: "one-shot", prompt, agentId, sessionKey, ...optional } },
    { type: "user.message", turnId, data: said },
  ];
}

function programRef({ language, writtenBy }: Program, cellId: CellId) {
  return { cellId, language, ...(writtenBy === undefined ? {} : { writtenBy }) };
}

/** The request in words. The program itself is in its cell's events. */
function promptOf({ prompt, program }: CreateTask): string {
  if (prompt !== undefined) return prompt;
  if (program !== undefined) return "Run a program";
  throw new Error("A task needs a prompt or a program");
}
