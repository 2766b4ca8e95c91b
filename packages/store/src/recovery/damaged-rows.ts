import type { StreamId } from "@deputy/protocol";
import type { Database, Row } from "@deputy/sqlite";
import { decodeEvent, decodeStream, type EventRow, type StreamRow } from "../sqlite/rows/event-rows.ts";
import { databaseBytes } from "../sqlite/database/schema.ts";

/** Reads what can still be read of a damaged database. Never throws, and proves nothing. */
export interface DamagedRows {
  events(): Iterable<EventRow>;
  heads(): Iterable<StreamRow>;
  /** Positions that an earlier repair left empty. */
  readonly knownGaps: number;
  /** The last position that it has, or plausibly claims to have. */
  readonly lastPosition: number;
}

const PAGE = 256;
/** The smallest size of an event's row. */
const LEAST_ROW_BYTES = 100;
const COLUMNS = "position, stream_id, seq, id, at, type, turn_id, payload_hash, prev, salt, payload";

export function readDamagedRows(
  db: Database,
  known: {
    /** The last position that other sources know. */
    readonly claimed: number;
    /** The stream of an event according to other sources, for when the table of streams is lost. */
    readonly streamOf: (eventId: string) => StreamId | undefined;
  },
): DamagedRows {
  const knownGaps = attempt(() => gapPositions(db)) ?? 0;
  const stated = attempt(() => Number(db.sql("SELECT max(position) AS last FROM events").get()?.["last"]));
  const possible = known.claimed + knownGaps + (attempt(() => databaseBytes(db)) ?? 0) / LEAST_ROW_BYTES;
  const lastPosition = Math.min(stated ?? known.claimed, Math.floor(possible));

  return {
    *events() {
      const names = streamNames(db);
      for (const row of eventRows(db, lastPosition)) {
        const number = Number(row["stream_id"]);
        const named = names.has(number) ? undefined : known.streamOf(String(row["id"]));
        if (named !== undefined) names.set(number, named);
      }
      for (const row of eventRows(db, lastPosition)) {
        const stream = names.get(Number(row["stream_id"])) ?? null;
        const read = attempt(() => decodeEvent({ ...row, stream }));
        if (read !== undefined) yield read;
      }
    },
    *heads() {
      for (const row of walk(db, "SELECT * FROM streams")) {
        const head = attempt(() => decodeStream(row));
        if (head !== undefined) yield head;
      }
    },
    knownGaps,
    lastPosition,
  };
}

/** Positions that repairs left empty. */
export function gapPositions(db: Database): number {
  const row = db.sql("SELECT total(last - first + 1) AS positions FROM repaired_gaps").get();
  return Number(row?.["positions"]);
}

/** Treats what cannot be read as absent. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Reads page by page, and row by row where a page cannot be read: other parts of the file may be intact. */
function* eventRows(db: Database, lastPosition: number): Generator<Row> {
  const select = (where: string) =>
    attempt(() => db.sql(`SELECT ${COLUMNS} FROM events WHERE position ${where}`));
  const after = select(`> ? ORDER BY position LIMIT ${PAGE}`);
  const at = select("= ?");
  if (after === undefined || at === undefined) return;
  for (let position = 0; position < lastPosition;) {
    const from = position;
    const page = attempt(() => after.all(from));
    const last = page?.at(-1)?.["position"];
    if (page !== undefined && (typeof last !== "number" || last <= from)) return;
    position = typeof last === "number" ? last : from + PAGE;
    if (page !== undefined) yield* page;
    else
      for (let one = from + 1; one <= position; one++) {
        const row = attempt(() => at.get(one));
        if (row !== undefined) yield row;
      }
  }
}

/** Reads the table, and its index, which lies in another part of the file. */
function streamNames(db: Database): Map<number, StreamId> {
  const names = new Map<number, StreamId>();
  for (const from of ["streams NOT INDEXED", "streams INDEXED BY sqlite_autoindex_streams_1"])
    for (const { id, stream } of walk(db, `SELECT id, stream FROM ${from}`))
      if (typeof id === "number" && typeof stream === "string" && !names.has(id))
        names.set(id, stream as StreamId);
  return names;
}

/** The rows up to the first that cannot be read. */
function* walk(db: Database, query: string): Generator<Row> {
  const rows = attempt(() => db.iterate(query));
  for (let next = attempt(() => rows?.next()); next?.done === false; next = attempt(() => rows?.next()))
    yield next.value;
}
