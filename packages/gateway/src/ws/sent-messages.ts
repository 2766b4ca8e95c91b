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

export function createSentMessages(log: Pick<EventLog, "head" | "read">): SentMessages {
  /** Those on their way. */
  const sending = new Map<string, Promise<SentMessage>>();

  const findIn = async (
    session: SessionId,
    messageKey: string,
    where: "lately" | "everywhere",
  ): Promise<SentMessage | undefined> => {
    const head = (await log.head(session))?.seq ?? 0;
    const after = where === "everywhere" ? 0 : Math.max(0, head - LOOKED_AT);
    let found: SentMessage | undefined;
    for await (const stored of log.read(session, { after })) {
      if (stored.type !== "user.message" || stored.turnId === undefined) continue;
      const read = readEvent(stored);
      if (read.kind !== "known" || read.event.type !== "user.message") continue;
      if (read.event.data.messageKey === messageKey) found = { runId: stored.turnId, seq: stored.seq };
    }
    return found;
  };

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
