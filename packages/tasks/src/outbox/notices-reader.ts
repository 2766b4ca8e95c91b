import { createLogView } from "@deputy/agent";
import { type EventLog, type Notice, readEvent, readNote, type StreamId } from "@deputy/protocol";

/** Reads the owner's notices from a log. */
export interface NoticesReader {
  /** Newest first, at most `MOST_NOTICES`, without erased ones. Rejects like the log. */
  newest(): Promise<Notice[]>;
}

const MOST_NOTICES = 50;
/** A note comes right after the events that say it was sent. */
const WITHIN = 3;

interface Told {
  readonly stream: StreamId;
  readonly seq: number;
}

export function createNoticesReader(log: Pick<EventLog, "readAll" | "read">): NoticesReader {
  const view = createLogView<Map<string, Told>>(
    log,
    ["outbox.queued"],
    new Map(),
    (told, { id, stream, seq }) => {
      told.set(id, { stream, seq });
      const [oldest] = told.keys();
      if (oldest !== undefined && told.size > MOST_NOTICES) told.delete(oldest);
    },
    { name: "notices 1" },
  );
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
      return (await Promise.all([...state.values()].toReversed().map(noticeAt))).flat();
    },
  };
}
