import { IMPORTED_CHANNEL, type SessionRequest, type SessionService } from "@deputy/agent/sessions";
import {
  type Clock,
  createKeyedLane,
  isAbort,
  openTaskGroup,
  retry,
  type SessionId,
  type TurnId,
  parseId,
} from "@deputy/kit";
import {
  type EventData,
  type EventLog,
  type CanonicalEvent,
  isSessionStream,
  EventLogError,
  type NewEvent,
  noteMessage,
  type SessionNote,
} from "@deputy/protocol";
import type { Channel } from "./channel.ts";
import type { Outbox, Telling } from "./outbox.ts";
import { createLogView, type LogView } from "@deputy/agent";

/** Terminal and page show sessions by themselves, so the message only has to be in the session. */
const SESSION_CHANNEL = "session";
const MOST_WAITING = 1_000;
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Messages to the owner over the event log: as notes in sessions, or through a channel. */
export function createLogOutbox(deps: {
  readonly log: EventLog;
  readonly sessions: Pick<SessionService, "find" | "open">;
  readonly channels: readonly Channel[];
  /** The session for messages while the owner has not used any. */
  readonly firstSession: SessionRequest;
  /** Removes from a text what must not be shown. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Outbox {
  const { log, sessions, clock } = deps;
  const view = openOutboxView(log);
  const group = openTaskGroup(deps.signal);
  const lane = createKeyedLane<"tell">({ maxWaiting: MOST_WAITING });
  const never = new AbortController().signal;
  const channels = new Map(deps.channels.map((channel) => [channel.name, channel]));

  const lastUsed = async (): Promise<SessionId> => {
    const { used } = (await view.current()).state;
    return [...used].at(-1) ?? (await sessions.open(deps.firstSession, never)).session.id;
  };
  const sessionFor = async (to: string): Promise<SessionId> => {
    const named = to === "last" ? undefined : await sessions.find(to);
    const isTheOwners = named !== undefined && !named.isTask && named.channel !== IMPORTED_CHANNEL;
    return isTheOwners ? named.id : await lastUsed();
  };

  /** Queued, sent and delivered in one append: a crash leaves all of it or nothing. */
  const tellInSession = async ({ key, from, text }: Telling, session: SessionId): Promise<void> => {
    const data = { channel: SESSION_CHANNEL, conversation: session, messageRef: key };
    await addNote(log, session, { from, text }, [
      { type: "outbox.queued", data },
      { type: "outbox.sent", data },
    ]);
  };

  const send = async (channel: Channel, queued: EventData<"outbox.queued">): Promise<void> => {
    const { messageRef: key, from = "", text = "", ...where } = queued;
    const policy = {
      attempts: ATTEMPTS,
      baseMs: FIRST_WAIT_MS,
      maxMs: LONGEST_WAIT_MS,
      retryable: (error: unknown) => !isAbort(error),
    };
    const data = { ...where, messageRef: key };
    try {
      const sent = await retry({ clock }, policy, group.signal, () =>
        channel.send({ key, from, text }, group.signal),
      );
      await log.append("system", [{ type: "outbox.sent", data: { ...data, ...sent } }]);
    } catch (error) {
      // The next start sends it.
      if (group.signal.aborted) return;
      const reason = deps.redact(error instanceof Error ? error.message : String(error));
      await tell({ key: `${key} (not sent)`, to: "last", from, text });
      await log.append("system", [{ type: "outbox.failed", data: { ...data, reason } }]);
    }
  };
  const sendLater = (channel: Channel, queued: EventData<"outbox.queued">): void =>
    group.spawn(async () => {
      await send(channel, queued).catch((error: unknown) => {
        if (!group.signal.aborted) deps.onBug(error);
      });
    });

  const tell = (message: Telling): Promise<void> =>
    lane.run("tell", never, async () => {
      const { key, to, from } = message;
      if ((await view.current()).state.taken.has(key)) return;
      const text = deps.redact(message.text);
      const channel = channels.get(to);
      if (channel === undefined) {
        await tellInSession({ key, to, from, text }, await sessionFor(to));
        return;
      }
      const data = { channel: to, conversation: "owner", messageRef: key, text, from };
      await log.append("system", [{ type: "outbox.queued", data }]);
      if (!group.signal.aborted) sendLater(channel, data);
    });

  return {
    tell,
    async goOn() {
      for (const queued of (await view.current()).state.unsent.values()) {
        const channel = channels.get(queued.channel);
        if (channel !== undefined) sendLater(channel, queued);
      }
    },
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

/**
 * Channels of sessions in which no owner reads along: a heartbeat's, tasks', and those of other programs; and of those
 * that came in from a file, with their forks. Who wrote such a file could have what is told there sent on.
 */
const NOT_THE_OWNERS: ReadonlySet<string> = new Set(["heartbeat", "task", "openai", "mcp", IMPORTED_CHANNEL]);

/** The messages that were sent, and the session that the owner used last. */
interface OutboxState {
  /** Keys of the newest accepted messages. */
  readonly taken: Set<string>;
  /** Messages that a channel still has to send, by key. */
  readonly unsent: Map<string, EventData<"outbox.queued">>;
  /** The sessions that the owner used last, in order; the most recent is at the end. */
  readonly used: Set<SessionId>;
  /** Turns that no person asked for. */
  readonly unasked: Set<TurnId>;
}

function openOutboxView(log: Pick<EventLog, "readAll">): LogView<OutboxState> {
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
    { name: "outbox 2" },
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

const MOST_ATTEMPTS = 20;

/**
 * Adds a note to a session that no person wrote, for its next turn or the current one. It begins no turn, and does
 * nothing when the id is not a session. Events `before` it are in the same append. Rejects as the log does.
 */
export async function addNote(
  log: Pick<EventLog, "head" | "read" | "append">,
  session: string,
  note: SessionNote,
  before: readonly NewEvent[] = [],
): Promise<void> {
  const stream = parseId("session", session);
  if (stream === undefined) return;
  for (let attempt = 1; ; attempt++) {
    const seq = (await log.head(stream))?.seq;
    if (seq === undefined) return;
    const [last] = await Array.fromAsync(log.read(stream, { after: seq - 1, limit: 1 }));
    const event: NewEvent = {
      type: "user.message",
      // A waiting message is found by being the last, so the note waits with it.
      ...(last?.type === "user.message" && last.turnId !== undefined ? { turnId: last.turnId } : {}),
      data: noteMessage(note),
    };
    try {
      await log.append(stream, [...before, event], { expectedSeq: seq });
      return;
    } catch (error) {
      const isConflict = error instanceof EventLogError && error.code === "conflict";
      if (!isConflict || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
