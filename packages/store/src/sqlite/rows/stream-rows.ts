import type { StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import {
  decodeEvent,
  decodeStream,
  type EventRow,
  readable,
  SELECT_EVENTS,
  SELECT_STREAMS,
  type StreamRow,
} from "./event-rows.ts";
import { CHAPTER_BITS } from "../database/schema.ts";
import type { LogEnd } from "./log-end.ts";

/** An event's place, by both of its numbers. */
export interface StreamPlace {
  readonly seq: number;
  readonly position: number;
}

export const BEFORE_FIRST: StreamPlace = { seq: 0, position: 0 };

/**
 * The events by stream, not yet verified. They are indexed chapter by chapter, so that streams written at the
 * same time share pages of the index; a read walks the chapters in order. Throws `log_damaged` for what
 * cannot be read.
 */
export interface StreamRows {
  stream(stream: StreamId): StreamRow | undefined;
  /** Only streams with an event after this position, if given. */
  streamsAfter(rowId: number, limit: number, changedAfter?: number): readonly StreamRow[];
  /** The events of a stream that follow a place in it. */
  follow(row: StreamRow, place: StreamPlace, limit: number): readonly EventRow[];
  /** The event with this `seq`, searched from the head backwards. */
  find(row: StreamRow, seq: number): EventRow | undefined;
}

const IN_CHAPTER = `${SELECT_EVENTS} WHERE e.position >> ${CHAPTER_BITS} = ? AND e.stream_id = ?`;
export const FOLLOW_QUERY = `${IN_CHAPTER} AND e.seq > ? ORDER BY e.seq LIMIT ?`;
const FIND_QUERY = `${IN_CHAPTER} AND e.seq <= ? ORDER BY e.seq DESC LIMIT 1`;

/** `logEnd`: what the only writer knows; others look. */
export function createStreamRows(db: Database, logEnd?: Pick<LogEnd, "position">): StreamRows {
  const byName = db.sql(`${SELECT_STREAMS} WHERE stream = ?`);
  const byRowId = db.sql(`${SELECT_STREAMS} WHERE id > ? AND head_position > ? ORDER BY id LIMIT ?`);
  const follow = db.sql(FOLLOW_QUERY);
  const find = db.sql(FIND_QUERY);
  const end = db.sql("SELECT max(position) AS position FROM events");

  /** Limited by the existing chapters, because a damaged number must not make the walk endless. */
  const lastChapter = (row: StreamRow): number =>
    chapterOf(Math.min(row.headPosition, logEnd?.position ?? Number(end.get()?.["position"] ?? 0)));

  return {
    stream: (stream) =>
      readable(() => {
        const row = byName.get(stream);
        return row === undefined ? undefined : decodeStream(row);
      }),
    streamsAfter: (rowId, limit, changedAfter = -1) =>
      readable(() => byRowId.all(rowId, changedAfter, limit).map(decodeStream)),
    follow: (row, place, limit) =>
      readable(() => {
        const found: EventRow[] = [];
        const last = lastChapter(row);
        let chapter = chapterOf(Math.max(row.firstPosition, place.position));
        for (; chapter <= last && found.length < limit; chapter++) {
          const { seq } = found.at(-1)?.event ?? place;
          for (const one of follow.all(chapter, row.rowId, seq, limit - found.length))
            found.push(decodeEvent(one));
        }
        return found;
      }),
    find: (row, seq) =>
      readable(() => {
        const first = chapterOf(row.firstPosition);
        for (let chapter = lastChapter(row); chapter >= first; chapter--) {
          const found = find.get(chapter, row.rowId, seq);
          if (found !== undefined) return found["seq"] === seq ? decodeEvent(found) : undefined;
        }
        return undefined;
      }),
  };
}

function chapterOf(position: number): number {
  return Math.floor(position / 2 ** CHAPTER_BITS);
}
