import type { Turn, TurnOutcome } from "@deputy/agent";
import {
  type EventLog,
  projectTaskEvents,
  type StoredEvent,
  type Task,
  type TaskEvent,
} from "@deputy/protocol";
import { describeTask } from "@deputy/tasks";
import type { Engine } from "../engine.ts";
import type { TaskConnection, TaskFeed } from "@deputy/client";

/** The work under way in this process; rejects when it broke off without an end in the log. */
type Work = Promise<TurnOutcome>;

/** A task of this process. */
export function connectLocally(
  engine: Engine,
  started: { readonly task: Task; readonly done: Work },
): TaskConnection {
  const { task, done } = started;
  return {
    ...answering(engine),
    async *events(signal) {
      for await (const stored of readWhile(done, engine.log, task.stream, 0, signal)) {
        for (const event of projectTaskEvents(stored)) {
          yield event;
          if (event.type === "completed") return;
        }
      }
    },
    async cancel(by) {
      await engine.tasks.cancel(task.id, by);
    },
    async ended() {
      await done;
      return await describeTask(engine.log, (await engine.tasks.get(task.id)) ?? task);
    },
  };
}

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

/** One turn of a conversation in this process, seen as if it were a task; `after` is the `seq` before it. */
export function connectTurn(engine: Engine, turn: Turn, work: Work, after: number): TaskFeed {
  return {
    ...answering(engine),
    async *events(signal) {
      for await (const stored of readWhile(work, engine.log, turn.stream, after, signal)) {
        yield* eventsOf(stored);
        if (TURN_ENDS.has(stored.type)) return;
      }
    },
  };
}

/**
 * The events as they come. If the work breaks off, the last event never comes, and that failure is thrown
 * instead.
 */
async function* readWhile(
  work: Work,
  log: EventLog,
  stream: Turn["stream"],
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  const broken = new AbortController();
  work.catch((error: unknown) => broken.abort(error));
  const either = AbortSignal.any([signal, broken.signal]);
  for await (const item of log.subscribe(stream, { after }, either)) {
    if (item.kind === "event") yield item.event;
  }
  either.throwIfAborted();
}

function eventsOf(event: StoredEvent): readonly TaskEvent[] {
  return event.type === "turn.started" ? [] : projectTaskEvents(event);
}

function answering(engine: Engine): Pick<TaskFeed, "answer"> {
  return {
    async answer(id, answer) {
      const outcome = await engine.approvals.resolve(id, answer, "terminal");
      return outcome.kind === "invalid" ? outcome.message : undefined;
    },
  };
}
