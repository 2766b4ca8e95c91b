import type { TaskId, TurnId } from "@deputy/kit";
import type { Task } from "@deputy/protocol";
import { type Firing, type TaskEntry, type TasksView } from "../tasks-view.ts";
import type { Advance, TaskRuns, TaskTemplate } from "./task-runs.ts";

/** Firings, carried to their ends by durable runs, which are opened with the first. */
export interface CarriedFirings extends AsyncDisposable {
  /** Durable once resolved. Idempotent by firing. */
  carry(entry: TaskEntry, firing: Firing): Promise<void>;
  /** A firing that waits for the user is brought on if there was an answer since it was let go of. Idempotent. */
  wake(entry: TaskEntry, firing: Firing): Promise<void>;
  /** A firing that was ended while it waited is carried on to that end. */
  wakeEnded(entry: TaskEntry, firing: Firing): Promise<void>;
  /** Nothing more of the task is carried. Idempotent. */
  cancel(id: TaskId): Promise<void>;
}

const TEMPLATES = {
  "one-shot": "oneShot_v1",
  recurring: "recurring_v1",
  event: "eventTriggered_v1",
} as const satisfies Record<Task["kind"], TaskTemplate>;

export function createCarriedFirings(deps: {
  readonly openRuns: (advance: Advance) => Promise<TaskRuns>;
  readonly advance: Advance;
  readonly look: () => Promise<TasksView>;
}): CarriedFirings {
  let runs: Promise<TaskRuns> | undefined;

  const open = async (): Promise<TaskRuns> => {
    const opened = await deps.openRuns(deps.advance);
    const { byId } = await deps.look();
    // What ended while nobody had the runs open, or is of another log.
    for (const key of opened.open()) if (byId.get(taskOf(key))?.closed !== false) await opened.cancel(key);
    return opened;
  };
  const get = (): Promise<TaskRuns> => {
    runs ??= open();
    // Tried again by the next that needs them.
    runs.catch(() => (runs = undefined));
    return runs;
  };
  const begin = async (key: string, { kind }: TaskEntry["task"], turnId: TurnId): Promise<boolean> => {
    const opened = await get();
    const began = await opened.start(TEMPLATES[kind], key);
    if (kind === "one-shot") return began === "started" || opened.open().includes(key);
    return (await opened.fire(key, turnId)) === "taken";
  };

  return {
    async carry({ task }, { turnId }) {
      if (await begin(task.id, task, turnId)) return;
      // It has ended there, though not in the log, which counts: this firing has a run of its own.
      await begin(ownKey(task.id, turnId), task, turnId);
    },
    async wake({ answers }, { turnId, answersBefore }) {
      if (answers === answersBefore) return;
      const opened = await get();
      // Not the name of the next wait: whoever waits there has a question that nobody has answered.
      for (let count = answersBefore; count < answers; count++)
        await opened.answered(waitName(turnId, count));
    },
    async wakeEnded({ answers }, { turnId, answersBefore }) {
      const opened = await get();
      for (let count = answersBefore; count <= answers; count++)
        await opened.answered(waitName(turnId, count));
    },
    async cancel(id) {
      if (runs === undefined) return;
      const opened = await runs;
      for (const key of opened.open()) if (taskOf(key) === id) await opened.cancel(key);
    },
    async [Symbol.asyncDispose]() {
      const opened = await runs?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}

/** Where a firing waits for the next answer after so many. */
export function waitName(turnId: TurnId, answers: number): string {
  return `${turnId} ${answers}`;
}

export function taskOf(key: string): TaskId {
  return key.split(" ", 1)[0] as TaskId;
}

/** Whether a run is of one firing alone, and ends with it. */
export function isOwnRun(key: string): boolean {
  return key.includes(" ");
}

function ownKey(id: TaskId, turnId: TurnId): string {
  return `${id} ${turnId}`;
}
