import { createHash } from "node:crypto";
import { headerHash } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { decodeEvent, decodeStream, readable, SELECT_EVENTS, type StreamRow } from "../rows/decode-row.ts";
import type { CursorSource } from "../rows/event-cursors.ts";
import { CHAPTER_BITS } from "../database/schema.ts";
import { sha256 } from "../sha256.ts";

/**
 * One hash over the whole log up to a position: over the last event of each stream, which covers all events
 * before it. Kept in another place, it shows later whether somebody rewrote the log. Erasing a payload does
 * not change it.
 */
export interface LogAnchor {
  readonly position: number;
  readonly hash: string;
}

const STREAMS_UP_TO = "SELECT * FROM streams WHERE first_position <= ? ORDER BY first_position";
const LAST_IN_CHAPTER = `${SELECT_EVENTS}
  WHERE e.position >> ${CHAPTER_BITS} = ? AND e.stream_id = ? AND e.position <= ? ORDER BY e.seq DESC LIMIT 1`;

/** The anchor at a position, or at the end. One state of the log; holds one stream at a time. */
export function anchorAt(db: Database, source: CursorSource, wanted?: number): LogAnchor {
  const lastInChapter = db.sql(LAST_IN_CHAPTER);

  /** The stream's last event at or before a position. */
  const headAt = (row: StreamRow, position: number): { readonly seq: number; readonly hash: string } => {
    if (row.headPosition <= position) return row;
    const first = row.firstPosition >> CHAPTER_BITS;
    for (let chapter = position >> CHAPTER_BITS; chapter >= first; chapter--) {
      const found = lastInChapter.get(chapter, row.rowId, position);
      if (found === undefined) continue;
      const { event } = decodeEvent(found);
      return { seq: event.seq, hash: headerHash(sha256, event) };
    }
    return { seq: 0, hash: "" };
  };

  return source.snapshot(() =>
    readable(() => {
      const position = wanted ?? source.rows.lastPosition();
      const digest = createHash("sha256");
      for (const found of db.iterate(STREAMS_UP_TO, position)) {
        const row = decodeStream(found);
        const { seq, hash } = headAt(row, position);
        digest.update(`${JSON.stringify([row.stream, seq, hash])}\n`);
      }
      return { position, hash: digest.digest("hex") };
    }),
  );
}
