import type { CellId, EventId, SessionId } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";

/** What was said and done. The rest says that there was a session, when it ran, and what that cost. */
const SAID = /^(?:user|assistant|cell|call|approval|plan)\.|^(?:session\.compacted|memory\.recalled)$/;

/** Events that are erased in one transaction. */
const AT_ONCE = 500;

/** Erases the words, programs and results of a session, and the raw values of its programs. Idempotent. */
export async function eraseSession(log: EventLog, session: SessionId, by: string): Promise<void> {
  const cells = new Set<CellId>();
  let ids: EventId[] = [];
  const eraseThese = async (): Promise<void> => {
    if (ids.length > 0) await log.erase(ids, by, "The conversation was deleted");
    ids = [];
  };
  const last = (await log.head(session))?.seq ?? 0;
  for await (const stored of log.read(session)) {
    // Erasing appends to the stream.
    if (stored.seq > last) break;
    if (stored.data === null || !SAID.test(stored.type)) continue;
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "cell.submitted") cells.add(read.event.data.cellId);
    ids.push(stored.id);
    if (ids.length >= AT_ONCE) await eraseThese();
  }
  await eraseThese();
  for (const cell of cells) await log.journal.erase(cell);
}
