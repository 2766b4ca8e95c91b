import { headerHash, LOST_EVENT_TYPE, type StreamId } from "@deputy/protocol";
import type { Database, SqlValue } from "@deputy/sqlite";
import { payloadHolds, type PlacedEvent } from "../log/index.ts";
import { sha256 } from "../sqlite/sha256.ts";
import type { Candidate } from "./choose-events.ts";

/** Every event that the sources hold: a temporary table beside the database that is being rebuilt. */
export interface CandidateTable {
  add(placed: PlacedEvent, source: "database" | "daily", vouchedBy: Candidate["vouchedBy"]): void;
  /** The head of its stream, or the witness, names an event with this hash. */
  vouch(hash: string): void;
  streamOf(eventId: string): StreamId | undefined;
  streams(): readonly StreamId[];
  of(stream: StreamId): readonly Candidate[];
  /** Makes the candidate one of the log's events. */
  choose(stream: StreamId, candidate: Candidate): void;
  /** The last position that a daily line names. */
  readonly lastPosition: number;
}

/** Which payload wins when two sources have the same event: erased first, damaged last. */
export const PAYLOAD = { standIn: 0, damaged: 1, sound: 2, erased: 3 } as const;
const VOUCHED = ["nobody", "line", "head"] as const;

/**
 * The columns of `candidates`, for callers that continue in SQL. `payload_state` is one of `PAYLOAD`;
 * `from_database`, `from_daily` and `chosen` are 0 or 1. The position from a daily file wins, because a hash
 * covers it; no hash covers the one in the database.
 */
const TABLE = `CREATE TEMP TABLE candidates (
  stream TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, prev TEXT NOT NULL, position INTEGER,
  id TEXT NOT NULL, at TEXT NOT NULL, type TEXT NOT NULL, turn_id TEXT, payload_hash TEXT NOT NULL,
  salt TEXT, payload TEXT, payload_state INTEGER NOT NULL, vouched INTEGER NOT NULL,
  from_database INTEGER NOT NULL, from_daily INTEGER NOT NULL, chosen INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (stream, seq, hash));
  CREATE INDEX temp.candidate_ids ON candidates (id);
  CREATE INDEX temp.candidate_hashes ON candidates (hash);`;

const BETTER = (column: string): string =>
  `${column} = CASE WHEN excluded.payload_state > payload_state THEN excluded.${column} ELSE ${column} END`;
const ADD = `INSERT INTO candidates (stream, seq, hash, prev, position, id, at, type, turn_id, payload_hash,
    salt, payload, payload_state, vouched, from_database, from_daily)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET ${["id", "at", "type", "turn_id", "payload_hash", "prev", "salt", "payload"].map(BETTER).join(", ")},
    payload_state = max(payload_state, excluded.payload_state), vouched = max(vouched, excluded.vouched),
    position = CASE WHEN excluded.from_daily THEN excluded.position ELSE position END,
    from_database = max(from_database, excluded.from_database),
    from_daily = max(from_daily, excluded.from_daily)`;

export function createCandidateTable(db: Database): CandidateTable {
  db.exec(TABLE);
  const add = db.sql(ADD);
  const vouch = db.sql("UPDATE candidates SET vouched = 2 WHERE hash = ?");
  const byId = db.sql("SELECT stream FROM candidates WHERE id = ? LIMIT 1");
  const of = db.sql(
    "SELECT seq, hash, prev, vouched FROM candidates WHERE stream = ? ORDER BY seq, from_database DESC",
  );
  const choose = db.sql("UPDATE candidates SET chosen = 1 WHERE stream = ? AND seq = ? AND hash = ?");
  const last = db.sql("SELECT max(position) AS last FROM candidates WHERE from_daily");

  return {
    add(placed, source, vouchedBy) {
      const { event, position } = placed;
      const { stream, seq, prev, id, at, type, turnId = null, payloadHash } = event;
      const state = payloadState(placed);
      const content: SqlValue[] = state === PAYLOAD.sound ? [placed.salt, placed.payload] : [null, null];
      const hash = headerHash(sha256, event);
      const header = [stream, seq, hash, prev, position, id, at, type, turnId, payloadHash];
      const from = [Number(source === "database"), Number(source === "daily")];
      add.run(...header, ...content, state, VOUCHED.indexOf(vouchedBy), ...from);
    },
    vouch: (hash) => void vouch.run(hash),
    streamOf(eventId) {
      const stream = byId.get(eventId)?.["stream"];
      return typeof stream === "string" ? (stream as StreamId) : undefined;
    },
    streams: () =>
      db
        .sql("SELECT DISTINCT stream FROM candidates ORDER BY stream")
        .all()
        .map((row) => String(row["stream"]) as StreamId),
    of: (stream) =>
      of.all(stream).map((row) => ({
        seq: Number(row["seq"]),
        hash: String(row["hash"]),
        prev: String(row["prev"]),
        vouchedBy: VOUCHED[Number(row["vouched"])] ?? "nobody",
      })),
    choose: (stream, { seq, hash }) => void choose.run(stream, seq, hash),
    get lastPosition() {
      return Number(last.get()?.["last"] ?? 0);
    },
  };
}

function payloadState(placed: PlacedEvent): number {
  if (placed.event.type === LOST_EVENT_TYPE) return PAYLOAD.standIn;
  if (placed.payload === null && placed.salt === null) return PAYLOAD.erased;
  return payloadHolds(sha256, placed) ? PAYLOAD.sound : PAYLOAD.damaged;
}
