import type { EventLog } from "@deputy/protocol";
import { isSilent, type Outbox, readTurnWords, type TaskFiring } from "@deputy/tasks";

const LONGEST_TITLE = 60;

/** Tells the owner what came of a run, unless there is nothing to tell. Each run is told of once. */
export function createReporter(deps: {
  readonly log: Pick<EventLog, "read">;
  readonly outbox: Pick<Outbox, "tell">;
}): (...run: TaskFiring) => Promise<void> {
  return async ({ task, created }, firing) => {
    const words = await readTurnWords(deps.log, task.stream, firing);
    const { message, failure, isFinished } = words;
    const said = message === undefined || isSilent(message) ? [] : [message];
    const failed = failure === undefined ? [] : [`It failed: ${failure}`];
    const over = isFinished && task.kind !== "one-shot" ? ["It is over now, and runs no more."] : [];
    const text = [...said, ...failed, ...over].join("\n");
    if (text === "") return;
    const key = `${task.id} ${firing.firingId}`;
    await deps.outbox.tell({ key, to: created.sessionKey ?? "last", text, from: `the task “${titleOf(task.prompt)}”` });
  };
}

export function titleOf(prompt: string): string {
  const [line = ""] = prompt.split("\n");
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE)}…` : line;
}
