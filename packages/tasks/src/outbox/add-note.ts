import { parseId } from "@deputy/kit";
import { type EventLog, EventLogError, type NewEvent, noteMessage, type SessionNote } from "@deputy/protocol";

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
