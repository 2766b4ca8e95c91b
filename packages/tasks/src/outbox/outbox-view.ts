import { createLogView, type LogView } from "@deputy/agent";
import type { SessionId, TurnId } from "@deputy/kit";
import { type CanonicalEvent, type EventData, type EventLog, isSessionStream } from "@deputy/protocol";

/** Channels of sessions in which no owner reads along: a heartbeat's, tasks', and those of other programs. */
const NOT_THE_OWNERS: ReadonlySet<string> = new Set(["heartbeat", "task", "openai", "mcp"]);

/** The messages that were sent, and the session that the owner used last. */
export interface OutboxState {
  /** Keys of what was taken, of the newest messages. */
  readonly taken: Set<string>;
  /** Messages that a channel still has to send, by key. */
  readonly unsent: Map<string, EventData<"outbox.queued">>;
  /** Sessions in which the owner talks, those used last; the one used last is the last. */
  readonly used: Set<SessionId>;
  /** Turns that no person asked for. */
  readonly unasked: Set<TurnId>;
}

export function openOutboxView(log: Pick<EventLog, "readAll">): LogView<OutboxState> {
  return createLogView<OutboxState>(
    log,
    [
      "session.started",
      "task.created",
      "turn.started",
      "turn.completed",
      "turn.failed",
      "turn.aborted",
      "heartbeat.began",
      "outbox.queued",
      "outbox.sent",
      "outbox.failed",
    ],
    { taken: new Set(), unsent: new Map(), used: new Set(), unasked: new Set() },
    apply,
    { name: "outbox 1" },
  );
}

/**
 * A message is not repeated within this many others. That is enough, because a task only repeats its last message.
 */
const REMEMBERED_KEYS = 50_000;

const REMEMBERED_SESSIONS = 5_000;

function keepNewest<T>(all: Set<T>, limit: number): void {
  const [oldest] = all;
  if (oldest !== undefined && all.size > limit) all.delete(oldest);
}

function apply({ taken, unsent, used, unasked }: OutboxState, event: CanonicalEvent): void {
  const { stream, turnId } = event;
  switch (event.type) {
    case "outbox.queued":
      taken.add(event.data.messageRef);
      keepNewest(taken, REMEMBERED_KEYS);
      unsent.set(event.data.messageRef, event.data);
      return;
    case "outbox.sent":
    case "outbox.failed":
      unsent.delete(event.data.messageRef);
      return;
    default:
  }
  if (!isSessionStream(stream)) return;
  switch (event.type) {
    case "session.started":
      if (!NOT_THE_OWNERS.has(event.data.channel)) used.add(stream);
      keepNewest(used, REMEMBERED_SESSIONS);
      break;
    case "task.created":
      used.delete(stream);
      break;
    case "heartbeat.began":
      if (turnId !== undefined) unasked.add(turnId);
      break;
    case "turn.started":
      if (!used.has(stream) || (turnId !== undefined && unasked.has(turnId))) break;
      used.delete(stream);
      used.add(stream);
      break;
    default:
      if (turnId !== undefined) unasked.delete(turnId);
  }
}
