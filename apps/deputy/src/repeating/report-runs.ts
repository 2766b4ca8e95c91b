import type { EventLog, PendingApproval } from "@deputy/protocol";
import { isSilent, type Outbox, readTurnWords, type TaskFiring } from "@deputy/tasks";

const LONGEST_TITLE = 60;

/** Tells the owner what came of a run, unless there is nothing to tell. Each run is told of once. */
export function createReporter(deps: {
  readonly log: Pick<EventLog, "read">;
  readonly outbox: Pick<Outbox, "tell">;
}): (...run: TaskFiring) => Promise<void> {
  return async ({ task, created }, firing) => {
    const words = await readTurnWords(deps.log, task.stream, firing);
    const { message, failure, isFinished, reason = "" } = words;
    const said = message === undefined || isSilent(message) ? [] : [message];
    const failed = failure === undefined ? [] : [`It failed: ${failure}`];
    const over =
      isFinished && task.kind !== "one-shot" ? [`The task has ended and will not run again: ${reason}`] : [];
    const text = [...said, ...failed, ...over].join("\n");
    if (text === "") return;
    const key = `${task.id} ${firing.turnId}`;
    await deps.outbox.tell({ key, to: created.sessionKey ?? "last", text, from: nameOf(task.prompt) });
  };
}

/** Tells the owner that a run waits for them. Each question is told of once. */
export function createAsker(deps: {
  readonly outbox: Pick<Outbox, "tell">;
}): (entry: TaskFiring[0], asked: PendingApproval) => Promise<void> {
  return async ({ task, created }, { id, preview, expiresAt }) => {
    const until = expiresAt === undefined ? "" : ` until ${expiresAt}`;
    const text = `It needs your approval${until}: ${preview.title}\nAnswer on the page, or with \`deputy approvals approve ${id}\` or \`deny\`.`;
    await deps.outbox.tell({
      key: `asks ${id}`,
      to: created.sessionKey ?? "last",
      text,
      from: nameOf(task.prompt),
    });
  };
}

/** Tells the owner that the only time of a task passed while nobody looked. */
export function createMissedTeller(deps: {
  readonly outbox: Pick<Outbox, "tell">;
}): (entry: TaskFiring[0], reason: string) => Promise<void> {
  return async ({ task, created }, reason) => {
    const text = `It did not run at its time, and will not: ${reason}.`;
    await deps.outbox.tell({
      key: `missed ${task.id}`,
      to: created.sessionKey ?? "last",
      text,
      from: nameOf(task.prompt),
    });
  };
}

const nameOf = (prompt: string): string => `the task “${titleOf(prompt)}”`;

function titleOf(prompt: string): string {
  const [line = ""] = prompt.split("\n");
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE)}…` : line;
}
