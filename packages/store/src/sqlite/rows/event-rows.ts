import {
  type IndexedEventType,
  EventLogError,
  type StoredEvent,
  type StreamHead,
  type StreamId,
} from "@deputy/protocol";
import { type Database, type Row, sqliteFailureOf } from "@deputy/sqlite";
import { indexedEventNumber } from "../database/schema.ts";
import type { EventId, TurnId } from "@deputy/kit";
import type { SealedEvent } from "../../log/index.ts";

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

export interface EventRow extends SealedEvent {
  readonly position: number;
}

export interface StreamRow extends StreamHead {
  readonly rowId: number;
  readonly firstPosition: number;
  readonly headPosition: number;
}

/** The columns that `decodeEvent` and `decodeStream` need. */
const EVENT_COLUMNS = `e.position, s.stream, e.seq, e.id, e.at, e.type, e.turn_id, e.payload_hash,
  e.prev, e.salt, e.payload`;
export const SELECT_EVENTS = `SELECT ${EVENT_COLUMNS} FROM events e LEFT JOIN streams s ON s.id = e.stream_id`;
export const SELECT_STREAMS = "SELECT * FROM streams";

/** Not yet verified. Throws `log_damaged` if a column does not even have the right type. */
export function decodeEvent(row: Row): EventRow {
  const payload = textOrNull(row, "payload");
  const turnId = textOrNull(row, "turn_id");
  const event: StoredEvent = {
    id: text(row, "id") as EventId,
    stream: text(row, "stream") as StreamId,
    seq: number(row, "seq"),
    at: text(row, "at"),
    type: text(row, "type"),
    ...(turnId === null ? undefined : { turnId: turnId as TurnId }),
    data: parsePayload(payload),
    payloadHash: text(row, "payload_hash"),
    prev: text(row, "prev"),
  };
  return { position: number(row, "position"), event, salt: textOrNull(row, "salt"), payload };
}

export function decodeStream(row: Row): StreamRow {
  return {
    rowId: number(row, "id"),
    stream: text(row, "stream") as StreamId,
    seq: number(row, "head_seq"),
    hash: text(row, "head_hash"),
    schemaVersion: number(row, "schema_version"),
    firstPosition: number(row, "first_position"),
    headPosition: number(row, "head_position"),
  };
}

/** Runs a read and throws `log_damaged` for what SQLite cannot read. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof EventLogError) throw cause;
    const reason = sqliteFailureOf(cause) === "busy" ? "is locked by another program" : "cannot be read";
    throw new EventLogError("log_damaged", `The database ${reason}`, { cause });
  }
}

/** Text that is not JSON does not match its hash either, and the hash check reports it. */
function parsePayload(payload: string | null): unknown {
  if (payload === null) return null;
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new EventLogError("log_damaged", `A row without a ${column}`);
}

function text(row: Row, column: string): string {
  const value = textOrNull(row, column);
  if (value !== null) return value;
  throw new EventLogError("log_damaged", `A row without a ${column}`);
}

function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  if (typeof value === "string" || value === null) return value;
  throw new EventLogError("log_damaged", `A row whose ${column} is not text`);
}
