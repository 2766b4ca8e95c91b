import type { SessionRequest, SessionService } from "@deputy/agent/sessions";
import { type Clock, createKeyedLane, isAbort, openTaskGroup, retry, type SessionId } from "@deputy/kit";
import type { EventData, EventLog } from "@deputy/protocol";
import { addNote } from "./add-note.ts";
import type { Channel } from "./channel.ts";
import type { Outbox, Telling } from "./outbox.ts";
import { openOutboxView } from "./outbox-view.ts";

/** Terminal and page show sessions by themselves, so the message only has to be in the session. */
const SESSION_CHANNEL = "session";
const MOST_WAITING = 1_000;
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Messages to the owner over the event log: notes in sessions, or what a channel sends. */
export function createLogOutbox(deps: {
  readonly log: EventLog;
  readonly sessions: Pick<SessionService, "find" | "open">;
  readonly channels: readonly Channel[];
  /** The session for messages while the owner has not used any. */
  readonly firstSession: SessionRequest;
  /** Takes out of a text what must not be shown. */
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
    return named === undefined || named.isTask ? await lastUsed() : named.id;
  };

  /** Queued, sent and delivered in one append: a crash leaves all of it or none. */
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
