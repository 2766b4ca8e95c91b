import type { IdSource } from "@deputy/kit";
import {
  type DeliveryStream,
  type EventData,
  type EventLog,
  EventLogError,
  type NewEvent,
  readEvent,
} from "@deputy/protocol";
import { quotedMessage } from "../conversations/quoted-text.ts";
import type { Firing, TaskEntry } from "../tasks-view.ts";

const CHANNEL = "task";

/** A task is due: from here on it runs, in a turn that has not begun. */
export function firedEvent(
  taskId: EventData<"task.created">["taskId"],
  slot: {
    readonly firingId: string;
    readonly dueAt: string;
    readonly reason: string;
    readonly delivery?: DeliveryStream;
    readonly replaces?: true;
    readonly by?: string;
  },
  ids: IdSource,
): NewEvent {
  const turnId = ids.next("turn");
  return { type: "task.fired", turnId, data: { taskId, ...slot, turnId } };
}

/**
 * Begins the turn of a firing with the task's request, unless it has begun. A report comes first in it, and counts as
 * nobody's instruction. Rejects as the log does.
 */
export async function beginFiring(
  log: Pick<EventLog, "read" | "append">,
  { task: { stream }, created }: TaskEntry,
  { turnId, seq, dueAt, delivery, by }: Firing,
): Promise<void> {
  const isUsers = created.writtenBy === undefined;
  const said: EventData<"user.message"> = {
    ...firingPrompt(created, dueAt, by === undefined ? "due" : "asked"),
    attachments: [],
    channel: CHANNEL,
    sender: created.requesterId ?? (isUsers ? "owner" : "client"),
    trust: isUsers ? "user" : "untrusted",
  };
  const source = created.trigger?.hook ?? "a hook";
  const reported =
    delivery === undefined
      ? []
      : [quotedMessage({ source, text: await readReport(log, delivery) }, { channel: CHANNEL, turnId })];
  for (;;) {
    let head = seq;
    for await (const event of log.read(stream, { after: seq })) {
      if (event.type === "user.message" && event.turnId === turnId) return;
      head = event.seq;
    }
    try {
      await log.append(stream, [...reported, { type: "user.message", turnId, data: said }], {
        expectedSeq: head,
      });
      return;
    } catch (error) {
      if (!(error instanceof EventLogError)) throw error;
      // Stopped before it began, so there is nothing to begin.
      if (error.code === "turn_ended") return;
      if (error.code !== "conflict") throw error;
    }
  }
}

/** A report as the agent sees it. */
async function readReport(log: Pick<EventLog, "read">, delivery: DeliveryStream): Promise<string> {
  for await (const stored of log.read(delivery)) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "hook.received") continue;
    const { payload } = read.event.data;
    return typeof payload === "string" ? payload : JSON.stringify(payload, null, 2);
  }
  return "(It was erased.)";
}

/** The whole answer of a firing that has nothing to report to its user. */
const NOTHING_TO_REPORT = "NOTHING_TO_REPORT";

/** The first message of a firing: the user's request, and what the agent must know about its situation. */
function firingPrompt(
  { kind, prompt }: Pick<EventData<"task.created">, "kind" | "prompt">,
  dueAt: string,
  why: "due" | "asked",
): Pick<EventData<"user.message">, "text" | "said"> {
  const when =
    why === "asked"
      ? `The user asked for it to run now, which is ${dueAt}`
      : kind === "event"
        ? "Something was reported, which is what the message before this one holds"
        : `It is due: ${dueAt}`;
  const text = [
    prompt,
    "",
    `[Deputy: this is a task that runs without anybody watching. ${when}. Your answer is sent to the user;`,
    `if there is nothing that they wanted to be told, answer ${NOTHING_TO_REPORT} and nothing else.`,
    kind === "recurring"
      ? "If what they asked for has come about and the task is over for good, call tools.tasks.finish.]"
      : kind === "event"
        ? "It runs again with the next report.]"
        : "It runs once.]",
  ].join("\n");
  return { text, said: { start: 0, end: prompt.length } };
}

export function isSilent(answer: string): boolean {
  return answer.trim() === NOTHING_TO_REPORT;
}
