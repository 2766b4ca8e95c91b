import { createLandmarkView } from "@deputy/agent";
import { type EventLog, type Notice, readEvent, readNote, type StreamId } from "@deputy/protocol";

/** What the owner was told unasked, as it stands in a log. */
export interface NoticesReader {
  /** The newest first, at most `MOST_NOTICES`; erased ones are passed over. Rejects as the log does. */
  newest(): Promise<Notice[]>;
}

const MOST_NOTICES = 50;
/** A note stands right behind the events that say it was sent. */
const WITHIN = 3;

interface Told {
  readonly stream: StreamId;
  readonly seq: number;
}

export function createNoticesReader(log: Pick<EventLog, "readAll" | "read">): NoticesReader {
  const view = createLandmarkView<Told[]>(log, ["outbox.queued"], [], (told, { stream, seq }) => {
    told.push({ stream, seq });
    if (told.length > MOST_NOTICES) told.shift();
  });
  const noticeAt = async ({ stream, seq }: Told): Promise<readonly Notice[]> => {
    for await (const stored of log.read(stream, { after: seq, limit: WITHIN })) {
      const read = readEvent(stored);
      if (read.kind !== "known" || read.event.type !== "user.message") continue;
      const note = readNote(read.event.data);
      if (note !== undefined) return [{ at: stored.at, ...note, stream }];
    }
    return [];
  };
  return {
    async newest() {
      const { state } = await view.current();
      return (await Promise.all(state.toReversed().map(noticeAt))).flat();
    },
  };
}
