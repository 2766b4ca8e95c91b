import type { Turn } from "@deputy/agent";
import { projectTaskEvents, type StoredEvent, type Task, type TaskEvent } from "@deputy/protocol";
import type { Engine } from "../engine.ts";
import type { TaskConnection, TaskFeed } from "./task-connection.ts";

/** A task of this process. */
export function connectLocally(engine: Engine, task: Task): TaskConnection {
  return {
    ...answering(engine),
    async *events(signal) {
      for await (const item of engine.log.subscribe(task.stream, {}, signal)) {
        if (item.kind !== "event") continue;
        for (const event of projectTaskEvents(item.event)) {
          yield event;
          if (event.type === "completed") return;
        }
      }
      signal.throwIfAborted();
    },
    async cancel() {
      await engine.tasks.cancel(task.id, "user");
    },
  };
}

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

/** One turn of a conversation in this process, seen as if it were a task; `after` is the `seq` before it. */
export function connectTurn(engine: Engine, turn: Turn, after: number): TaskFeed {
  return {
    ...answering(engine),
    async *events(signal) {
      for await (const item of engine.log.subscribe(turn.stream, { after }, signal)) {
        if (item.kind !== "event") continue;
        yield* eventsOf(item.event);
        if (TURN_ENDS.has(item.event.type)) return;
      }
    },
  };
}

function eventsOf(event: StoredEvent): readonly TaskEvent[] {
  return event.type === "turn.started" ? [] : projectTaskEvents(event);
}

function answering(engine: Engine): Pick<TaskFeed, "answer"> {
  return {
    async answer(id, answer) {
      await engine.approvals.resolve(id, answer, "terminal");
    },
  };
}
