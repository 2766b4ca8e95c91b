import { createLogView, type LogView } from "@deputy/agent";
import type { SessionId, TurnId } from "@deputy/kit";
import { type CanonicalEvent, type EventData, type EventLog, isSessionStream } from "@deputy/protocol";

/**
 * The channels whose sessions only the owner reads. Sessions of chat apps may have other readers, so one counts only
 * after the app has said that the conversation is the owner's (`channel.home`). Sessions of the heartbeat, of tasks, of
 * other programs and from imported files never count: their author could have notifications sent elsewhere.
 */
const OWN_DOORS: ReadonlySet<string> = new Set([
  "terminal",
  "cli",
  "web",
  "ws",
  "api",
  "acp",
  "sdk",
  "memory",
]);

/** The messages that were sent, and the session that the owner used last. */
export interface OutboxState {
  /** Keys of the newest accepted messages. */
  readonly taken: Set<string>;
  /** Messages that a channel still has to send, by key. */
  readonly unsent: Map<string, EventData<"outbox.queued">>;
  /** Messages that a channel did not take, by key, in order. */
  readonly failed: Map<
    string,
    { readonly queued: EventData<"outbox.queued">; readonly at: string; readonly reason: string }
  >;
  /** Messages that wait for the end of quiet hours, by key, in order. */
  readonly held: Map<string, EventData<"outbox.held">>;
  /** The sessions that the owner used last, in order; the most recent is at the end. */
  readonly used: Set<SessionId>;
  /** The owner's own conversations in chat apps, and who they are there. */
  readonly homes: Map<SessionId, { readonly channel: string; readonly person: string }>;
  /** Turns that no person asked for. */
  readonly unasked: Set<TurnId>;
}

/**
 * A message is not repeated within this many others. That is enough, because a task only repeats its last message.
 */
const REMEMBERED_KEYS = 50_000;

const REMEMBERED_SESSIONS = 5_000;
const REMEMBERED_FAILURES = 200;

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
      "channel.home",
      "channel.unpaired",
      "outbox.queued",
      "outbox.sent",
      "outbox.failed",
      "outbox.held",
      "outbox.released",
    ],
    {
      taken: new Set(),
      unsent: new Map(),
      failed: new Map(),
      held: new Map(),
      used: new Set(),
      homes: new Map(),
      unasked: new Set(),
    },
    apply,
    { name: "outbox 4" },
  );
}

function keepNewest<T>(all: Set<T>, limit: number): void {
  const [oldest] = all;
  if (oldest !== undefined && all.size > limit) all.delete(oldest);
}

function apply(state: OutboxState, event: CanonicalEvent): void {
  const { taken, unsent, failed, held, used, homes } = state;
  switch (event.type) {
    case "outbox.queued":
    case "outbox.held":
      taken.add(event.data.messageRef);
      keepNewest(taken, REMEMBERED_KEYS);
      (event.type === "outbox.queued" ? unsent : held).set(event.data.messageRef, event.data);
      failed.delete(event.data.messageRef);
      return;
    case "outbox.failed": {
      const { messageRef, reason = "" } = event.data;
      const queued = unsent.get(messageRef);
      unsent.delete(messageRef);
      if (queued !== undefined) failed.set(messageRef, { queued, reason, at: event.at });
      const [oldest] = failed.keys();
      if (oldest !== undefined && failed.size > REMEMBERED_FAILURES) failed.delete(oldest);
      return;
    }
    case "outbox.sent":
      unsent.delete(event.data.messageRef);
      return;
    case "outbox.released":
      for (const key of event.data.messageRefs) held.delete(key);
      return;
    case "channel.home": {
      const { session, channel, person } = event.data;
      homes.set(session, { channel, person });
      use(state, session);
      return;
    }
    case "channel.unpaired":
      for (const [session, { channel, person }] of homes)
        if (channel === event.data.channel && person === event.data.person) {
          homes.delete(session);
          used.delete(session);
        }
      return;
    default:
      applyTurn(state, event);
  }
}

function applyTurn(state: OutboxState, event: CanonicalEvent): void {
  const { used, homes, unasked } = state;
  const { stream, turnId } = event;
  if (!isSessionStream(stream)) return;
  switch (event.type) {
    case "session.started":
      if (OWN_DOORS.has(event.data.channel)) use(state, stream);
      break;
    case "task.created":
      used.delete(stream);
      homes.delete(stream);
      break;
    case "heartbeat.began":
      if (turnId !== undefined) unasked.add(turnId);
      break;
    case "turn.started":
      if (used.has(stream) && (turnId === undefined || !unasked.has(turnId))) use(state, stream);
      break;
    default:
      if (turnId !== undefined) unasked.delete(turnId);
  }
}

function use({ used, homes }: OutboxState, session: SessionId): void {
  used.delete(session);
  used.add(session);
  const [oldest] = used;
  if (oldest === undefined || used.size <= REMEMBERED_SESSIONS) return;
  used.delete(oldest);
  homes.delete(oldest);
}
