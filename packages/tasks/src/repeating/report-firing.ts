import type { PendingApproval } from "@deputy/protocol";
import type { Outbox, Telling } from "../outbox/outbox.ts";
import type { Firing, TaskEntry } from "../tasks-view.ts";
import { isSilent } from "./firing-prompt.ts";
import type { TurnWords } from "./turn-words.ts";

const LONGEST_TITLE = 60;

type Teller = Pick<Outbox, "tell">;

/** Reports the outcome of a firing to the owner, unless there is nothing to report. Each firing is reported once. */
export async function reportFiring(
  outbox: Teller,
  entry: TaskEntry,
  { turnId }: Firing,
  { message, failure, isFinished, reason = "" }: TurnWords,
): Promise<void> {
  const said = message === undefined || isSilent(message) ? [] : [message];
  const failed = failure === undefined ? [] : [`It failed: ${failure}`];
  const isOver = isFinished && entry.task.kind !== "one-shot";
  const over = isOver ? [`The task has ended and will not run again: ${reason}`] : [];
  const text = [...said, ...failed, ...over].join("\n");
  if (text !== "") await outbox.tell(telling(entry, `${entry.task.id} ${turnId}`, text));
}

/** Tells the owner that a firing waits for them, once for each question. */
export async function reportAsked(outbox: Teller, entry: TaskEntry, asked: PendingApproval): Promise<void> {
  const { id, preview, expiresAt } = asked;
  const until = expiresAt === undefined ? "" : ` until ${expiresAt}`;
  const text = `It needs your approval${until}: ${preview.title}\nAnswer on the page, or with \`deputy approvals approve ${id}\` or \`deny\`.`;
  await outbox.tell(telling(entry, `asks ${id}`, text));
}

/** Tells the owner that the only time of a task passed while no process was running. */
export async function reportMissed(outbox: Teller, entry: TaskEntry, reason: string): Promise<void> {
  const text = `It did not run at its time, and will not: ${reason}.`;
  await outbox.tell(telling(entry, `missed ${entry.task.id}`, text));
}

function telling({ task, created }: TaskEntry, key: string, text: string): Telling {
  const [line = ""] = task.prompt.split("\n");
  const title = line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE)}…` : line;
  return { key, to: created.sessionKey ?? "last", text, from: `the task “${title}”` };
}
