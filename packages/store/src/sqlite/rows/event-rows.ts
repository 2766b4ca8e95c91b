import type { IndexedEventType } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { decodeEvent, EVENT_COLUMNS, type EventRow, readable, SELECT_EVENTS } from "./decode-row.ts";
import { indexedEventNumber } from "../database/schema.ts";

/** The events by position, not yet verified. Throws `log_damaged` for what cannot be read. */
export interface EventRows {
  at(position: number): EventRow | undefined;
  after(position: number, limit: number): readonly EventRow[];
  /** Only rows of these types, found by index. */
  indexedEventsAfter(
    types: readonly IndexedEventType[],
    position: number,
    limit: number,
  ): readonly EventRow[];
  /** The last rows, oldest first. */
  last(limit: number): readonly EventRow[];
  lastPosition(): number;
}

/** Position, row of the stream, then an event's fields in the order of the table. */
export const INSERT_EVENT = `INSERT INTO events
  (position, stream_id, seq, id, at, type, landmark, turn_id, payload_hash, prev, salt, payload)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function createEventRows(db: Database): EventRows {
  const at = db.sql(`${SELECT_EVENTS} WHERE e.position = ?`);
  const after = db.sql(`${SELECT_EVENTS} WHERE e.position > ? ORDER BY e.position LIMIT ?`);
  const last = db.sql(`${SELECT_EVENTS} ORDER BY e.position DESC LIMIT ?`);
  const lastPosition = db.sql("SELECT max(position) AS position FROM events");

  return {
    at: (position) =>
      readable(() => {
        const row = at.get(position);
        return row === undefined ? undefined : decodeEvent(row);
      }),
    after: (position, limit) => readable(() => after.all(position, limit).map(decodeEvent)),
    indexedEventsAfter(types, position, limit) {
      const wanted = [...new Set(types)].sort();
      if (wanted.length === 0) return [];
      const statement = db.sql(indexedEventsQuery(wanted));
      return readable(() => statement.all(...wanted.map(() => position), limit).map(decodeEvent));
    },
    last: (limit) => readable(() => last.all(limit).map(decodeEvent).reverse()),
    lastPosition: () => readable(() => Number(lastPosition.get()?.["position"] ?? 0)),
  };
}

/** Walks the index once per type and merges by position: neither a scan nor a sort. */
export function indexedEventsQuery(types: readonly IndexedEventType[]): string {
  const walks = types.map(
    (type) =>
      `SELECT position FROM events INDEXED BY landmarks WHERE landmark = ${indexedEventNumber(type)} AND position > ?`,
  );
  return `SELECT ${EVENT_COLUMNS} FROM (${walks.join(" UNION ALL ")} ORDER BY position LIMIT ?) f
    CROSS JOIN events e ON e.position = f.position LEFT JOIN streams s ON s.id = e.stream_id`;
}
