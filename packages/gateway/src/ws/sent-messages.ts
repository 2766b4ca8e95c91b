import type { SessionId, TurnId } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";

/** Lets a client send a message again without knowing whether the first time arrived. */
export interface SentMessages {
  /**
   * The run of the message with that key, if it is in the log or on its way there; else what `send` gives. `lately` looks
   * for it among the last events only.
   */
  once(
    session: SessionId,
    messageKey: string,
    send: () => Promise<SentMessage>,
    where: "lately" | "everywhere",
  ): Promise<SentMessage>;
}

export interface SentMessage {
  readonly runId: TurnId;
  /** The message's number in its stream. */
  readonly seq: number;
}

/** A client repeats what it sent last: that is among this many events, unless very much has happened since. */
const LOOKED_AT = 400;
/** Of so many sessions it is remembered how far they were looked at, and what was found. */
const MOST_REMEMBERED = 500;

interface Seen {
  readonly through: number;
  readonly byKey: ReadonlyMap<string, SentMessage>;
}

export function createSentMessages(log: Pick<EventLog, "head" | "read">): SentMessages {
  /** Those on their way. */
  const sending = new Map<string, Promise<SentMessage>>();

  const remembered = new Map<SessionId, Seen>();

  const keysAfter = async (session: SessionId, after: number): Promise<Map<string, SentMessage>> => {
    const found = new Map<string, SentMessage>();
    for await (const stored of log.read(session, { after })) {
      if (stored.type !== "user.message" || stored.turnId === undefined) continue;
      const read = readEvent(stored);
      if (read.kind !== "known" || read.event.type !== "user.message") continue;
      const { messageKey } = read.event.data;
      if (messageKey !== undefined) found.set(messageKey, { runId: stored.turnId, seq: stored.seq });
    }
    return found;
  };

  /** What was looked at before is not read again. */
  const lookLately = async (session: SessionId): Promise<Seen["byKey"]> => {
    const through = (await log.head(session))?.seq ?? 0;
    const first = Math.max(0, through - LOOKED_AT);
    const before = remembered.get(session);
    const fresh = await keysAfter(session, Math.max(first, before?.through ?? 0));
    const byKey = new Map([...(before?.byKey ?? []), ...fresh].filter(([, { seq }]) => seq > first));
    remembered.delete(session);
    remembered.set(session, { through, byKey });
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return byKey;
  };

  const findIn = async (
    session: SessionId,
    messageKey: string,
    where: "lately" | "everywhere",
  ): Promise<SentMessage | undefined> =>
    (where === "everywhere" ? await keysAfter(session, 0) : await lookLately(session)).get(messageKey);

  return {
    async once(session, messageKey, send, where) {
      const key = `${session} ${messageKey}`;
      const known = sending.get(key);
      if (known !== undefined) return await known;
      const sent = findIn(session, messageKey, where).then((found) => found ?? send());
      sending.set(key, sent);
      try {
        return await sent;
      } finally {
        sending.delete(key);
      }
    },
  };
}
