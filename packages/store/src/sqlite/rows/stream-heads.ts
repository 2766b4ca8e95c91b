import type { TurnId } from "@deputy/kit";
import { EVENT_SCHEMA_VERSION, FIRST_PREV, isTurnEndType, type StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { TURN_ENDS } from "../database/schema.ts";

/** How many turns of one stream are remembered; others are looked up again. */
const KNOWN_TURNS = 64;

/** Where the next event of a stream goes. Moves forward while a transaction is being written. */
export interface WritableHead {
  readonly stream: StreamId;
  /** Its row; 0 until the stream has one. */
  rowId: number;
  seq: number;
  hash: string;
  position: number;
  schemaVersion: number;
  /** Turns of the stream that were written to since it was loaded, and whether each has ended. */
  readonly turns: Map<TurnId, "open" | "ended">;
}

/** The heads of the streams being written to, kept in memory between transactions. */
export interface StreamHeads {
  of(stream: StreamId): WritableHead;
  /** Looks it up once per turn; `noteTurn` reports what is written meanwhile. */
  hasEnded(head: WritableHead, turnId: TurnId): boolean;
  noteTurn(head: WritableHead, event: { readonly type: string; readonly turnId?: TurnId | undefined }): void;
  /** Gives a stream its row if its first event is about to be written, and remembers that the head moves. */
  touch(head: WritableHead, position: number): void;
  /** Writes the moved heads; the last thing before COMMIT. */
  save(): void;
  /** Forgets everything after a rollback. */
  reset(): void;
}

export function createStreamHeads(db: Database, limits: { readonly cachedHeads: number }): StreamHeads {
  const select = db.sql("SELECT * FROM streams WHERE stream = ?");
  const insert = db.sql(
    `INSERT INTO streams (stream, head_seq, head_hash, schema_version, first_position, head_position)
     VALUES (?, 0, ?, ?, ?, 0)`,
  );
  const update = db.sql(
    "UPDATE streams SET head_seq = ?, head_hash = ?, schema_version = ?, head_position = ? WHERE id = ?",
  );
  const findEnd = db.sql(`SELECT 1 FROM events WHERE turn_id = ? AND ${TURN_ENDS} AND stream_id = ? LIMIT 1`);
  const cache = new Map<StreamId, WritableHead>();
  const moved = new Set<WritableHead>();

  const load = (stream: StreamId): WritableHead => {
    const row = select.get(stream);
    if (row === undefined)
      return {
        stream,
        rowId: 0,
        seq: 0,
        hash: FIRST_PREV,
        position: 0,
        schemaVersion: EVENT_SCHEMA_VERSION,
        turns: new Map(),
      };
    return {
      stream,
      rowId: Number(row["id"]),
      seq: Number(row["head_seq"]),
      hash: String(row["head_hash"]),
      position: Number(row["head_position"]),
      schemaVersion: Number(row["schema_version"]),
      turns: new Map(),
    };
  };

  return {
    of(stream) {
      const known = cache.get(stream);
      if (known !== undefined) return known;
      const head = load(stream);
      cache.set(stream, head);
      return head;
    },
    hasEnded(head, turnId) {
      const known = head.turns.get(turnId);
      if (known !== undefined) return known === "ended";
      if (head.turns.size >= KNOWN_TURNS) head.turns.clear();
      const isEnded = head.rowId !== 0 && findEnd.get(turnId, head.rowId) !== undefined;
      head.turns.set(turnId, isEnded ? "ended" : "open");
      return isEnded;
    },
    noteTurn(head, { type, turnId }) {
      if (turnId !== undefined && isTurnEndType(type)) head.turns.set(turnId, "ended");
    },
    touch(head, position) {
      if (head.rowId === 0) {
        const { lastInsertRowid } = insert.run(head.stream, FIRST_PREV, head.schemaVersion, position);
        head.rowId = Number(lastInsertRowid);
      }
      moved.add(head);
    },
    save() {
      for (const head of moved)
        update.run(head.seq, head.hash, head.schemaVersion, head.position, head.rowId);
      moved.clear();
      if (cache.size > limits.cachedHeads) cache.clear();
    },
    reset() {
      cache.clear();
      moved.clear();
    },
  };
}
