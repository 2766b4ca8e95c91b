import type { IdSource } from "@deputy/kit";
import { FIRST_PREV, LOST_EVENT_TYPE, type StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { PAYLOAD } from "./candidate-table.ts";
import { placeEvents, risingIndexes, type Unplaced } from "./place-events.ts";

/** Events that a stream once had: all from `first` to `last`. */
export interface MissingEvents {
  readonly stream: StreamId;
  readonly first: number;
  readonly last: number;
}

interface Run extends Unplaced {
  readonly stream: StreamId;
  readonly first: number;
}

interface Chosen {
  readonly seq: number;
  readonly position: number | null;
}

/**
 * Gives every chosen event a position, and puts a stand-in where a chosen event's predecessor is lost, so
 * that streams have no gaps. If there is no room for one, which only a wrong position can cause, the stream
 * ends before it. Returns the events that got a stand-in.
 */
export function standInForLost(
  db: Database,
  deps: { readonly ids: IdSource; readonly streams: readonly StreamId[]; readonly end: number },
): readonly MissingEvents[] {
  const { streams, end } = deps;
  forgetDoubtfulPositions(db, streams);
  const runs = streams.flatMap((stream) => runsWithoutPosition(stream, chosenOf(db, stream), end));
  const taken = db
    .sql("SELECT position FROM candidates WHERE chosen AND position NOT NULL ORDER BY position")
    .all()
    .map((row) => Number(row["position"]));
  const places = placeEvents(runs, taken, end);

  const move = db.sql("UPDATE candidates SET position = ? WHERE stream = ? AND seq = ? AND chosen");
  const cut = db.sql("UPDATE candidates SET chosen = 0 WHERE stream = ? AND seq >= ?");
  const neighbour = db.sql("SELECT hash, prev, at FROM candidates WHERE stream = ? AND seq = ? AND chosen");
  const standIn = db.sql(`INSERT OR REPLACE INTO candidates (stream, seq, hash, prev, position, id, at, type,
      payload_hash, payload_state, vouched, from_database, from_daily, chosen)
    VALUES (?, ?, ?, ?, ?, ?, ?, '${LOST_EVENT_TYPE}', ?, ${PAYLOAD.standIn}, 0, 0, 0, 1)`);
  const missing: MissingEvents[] = [];
  const ended = new Set<StreamId>();

  for (const run of runs) {
    const { stream, first } = run;
    const positions = places.get(run);
    if (ended.has(stream)) continue;
    if (positions === undefined) {
      cut.run(stream, first);
      ended.add(stream);
      continue;
    }
    positions.forEach((position, index) => {
      const seq = first + index;
      if (move.run(position, stream, seq).changes > 0) return;
      const [before, after] = [neighbour.get(stream, seq - 1), neighbour.get(stream, seq + 1)];
      const hash = String(after?.["prev"] ?? FIRST_PREV);
      const prev = String(before?.["hash"] ?? FIRST_PREV);
      const at = String(before?.["at"] ?? after?.["at"] ?? firstTimeAfter(db, stream, seq));
      standIn.run(stream, seq, hash, prev, position, deps.ids.next("event"), at, hash);
      const last = missing.at(-1);
      if (last?.stream === stream && last.last === seq - 1) missing.splice(-1, 1, { ...last, last: seq });
      else missing.push({ stream, first: seq, last: seq });
    });
  }
  return missing;
}

function chosenOf(db: Database, stream: StreamId): readonly Chosen[] {
  return db
    .sql("SELECT seq, position FROM candidates WHERE stream = ? AND chosen ORDER BY seq")
    .all(stream)
    .map(({ seq, position }) => ({
      seq: Number(seq),
      position: typeof position === "number" ? position : null,
    }));
}

/** Two events cannot have the same position, and no event can come before its predecessor. */
function forgetDoubtfulPositions(db: Database, streams: readonly StreamId[]): void {
  db.exec(`UPDATE candidates SET position = NULL WHERE chosen AND rowid NOT IN (SELECT rowid FROM
    (SELECT rowid, row_number() OVER (PARTITION BY position ORDER BY from_daily DESC) AS n FROM candidates WHERE chosen)
    WHERE n = 1)`);
  const forget = db.sql("UPDATE candidates SET position = NULL WHERE stream = ? AND seq = ? AND chosen");
  for (const stream of streams) {
    const chosen = chosenOf(db, stream).filter(({ position }) => position !== null);
    const rising = risingIndexes(chosen.map(({ position }) => position ?? 0));
    chosen.forEach(({ seq }, index) => {
      if (!rising.has(index)) forget.run(stream, seq);
    });
  }
}

function runsWithoutPosition(stream: StreamId, chosen: readonly Chosen[], end: number): readonly Run[] {
  const runs: Run[] = [];
  let [seq, after] = [0, 0];
  for (const one of chosen) {
    if (one.position === null) continue;
    if (one.seq > seq + 1)
      runs.push({ stream, first: seq + 1, count: one.seq - seq - 1, after, before: one.position });
    [seq, after] = [one.seq, one.position];
  }
  const last = chosen.at(-1)?.seq ?? 0;
  if (last > seq) runs.push({ stream, first: seq + 1, count: last - seq, after, before: end + 1 });
  return runs;
}

function firstTimeAfter(db: Database, stream: StreamId, seq: number): string {
  const row = db
    .sql("SELECT at FROM candidates WHERE stream = ? AND seq > ? AND chosen ORDER BY seq LIMIT 1")
    .get(stream, seq);
  return String(row?.["at"]);
}
