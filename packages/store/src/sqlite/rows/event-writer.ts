import type { Clock, EventId, IdSource } from "@deputy/kit";
import {
  EVENT_SCHEMA_VERSION,
  EventLogError,
  headerHash,
  type NewEvent,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { assertTurnsOpen, type Draft, draftEvent, sealDraft } from "../../log/index.ts";
import { INSERT_EVENT } from "./event-rows.ts";
import { createSaltSource } from "../journal/journal-table.ts";
import { indexedEventNumber } from "../database/schema.ts";
import { sha256 } from "../sha256.ts";
import { createStreamHeads } from "./stream-heads.ts";
import type { WitnessRecord } from "../soundness/tail-witness.ts";

/** An append whose payloads are already text. */
export interface PreparedAppend {
  readonly stream: StreamId;
  readonly drafts: readonly Draft[];
  readonly expectedSeq: number | undefined;
}

/**
 * Writes events inside a transaction that the caller began. Refuses what it must before writing the first
 * row, so that a refused append does not affect the others.
 */
export interface EventWriter {
  /** Throws `conflict` or `turn_ended`. */
  append(append: PreparedAppend): readonly StoredEvent[];
  /** Throws `unknown_event`. Does nothing if the payload is already gone. */
  erase(position: number, by: string, reason: string | undefined): void;
  /** To be called right before COMMIT. */
  finish(): void;
  /** What the transaction wrote, and the last event of the log; to be called once after COMMIT. */
  committed(): { readonly events: readonly StoredEvent[]; readonly tail: Tail };
  /** To be called after a rollback. */
  reset(): void;
}

export type Tail = Omit<WitnessRecord, "shutdown">;

export function createEventWriter(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly limits: { readonly cachedHeads: number };
  readonly tail: Tail;
}): EventWriter {
  const { db, clock, ids } = deps;
  const heads = createStreamHeads(db, deps.limits);
  const nextSalt = createSaltSource();
  const insert = db.sql(INSERT_EVENT);
  const target = db.sql(
    `SELECT e.id, s.stream, e.seq, e.payload_hash, e.payload IS NULL AS erased
     FROM events e JOIN streams s ON s.id = e.stream_id WHERE e.position = ?`,
  );
  const blank = db.sql("UPDATE events SET salt = NULL, payload = NULL WHERE position = ?");

  let { position } = deps.tail;
  let tail = deps.tail;
  let committedTail = deps.tail;
  let written: StoredEvent[] = [];
  /** The time of the transaction; all of its events carry it. */
  let at: string | undefined;

  const write = (stream: StreamId, drafts: readonly Draft[]): readonly StoredEvent[] => {
    const head = heads.of(stream);
    heads.touch(head, position + 1);
    head.schemaVersion = EVENT_SCHEMA_VERSION;
    at ??= new Date(clock.now()).toISOString();
    const stored: StoredEvent[] = [];
    for (const draft of drafts) {
      const salt = nextSalt();
      const place = { id: ids.next("event"), stream, seq: head.seq + 1, at, prev: head.hash };
      const event = sealDraft(sha256, place, draft, salt);
      position += 1;
      insert.run(
        position,
        head.rowId,
        event.seq,
        event.id,
        at,
        event.type,
        indexedEventNumber(event.type),
        event.turnId ?? null,
        event.payloadHash,
        event.prev,
        salt,
        draft.payload,
      );
      head.seq = event.seq;
      head.position = position;
      head.hash = headerHash(sha256, event);
      stored.push(event);
      heads.noteTurn(head, event);
      note(event, head.hash);
    }
    return stored;
  };
  const note = (event: StoredEvent, hash: string): void => {
    written.push(event);
    tail = { position, eventId: event.id, hash };
  };

  return {
    append({ stream, drafts, expectedSeq }) {
      const head = heads.of(stream);
      if (expectedSeq !== undefined) assertHead(stream, head.seq, expectedSeq);
      assertTurnsOpen(stream, drafts, (turnId) => heads.hasEnded(head, turnId));
      return drafts.length === 0 ? [] : write(stream, drafts);
    },
    erase(erasedPosition, by, reason) {
      const row = target.get(erasedPosition);
      if (row === undefined) throw new EventLogError("unknown_event", "There is no such event");
      if (row["erased"] === 1) return;
      blank.run(erasedPosition);
      const record: NewEvent = {
        type: "event.erased",
        data: {
          eventId: String(row["id"]) as EventId,
          seq: Number(row["seq"]),
          payloadHash: String(row["payload_hash"]),
          by,
          ...(reason === undefined ? undefined : { reason }),
        },
      };
      write(String(row["stream"]) as StreamId, [draftEvent(record)]);
    },
    finish: () => heads.save(),
    committed() {
      const events = written;
      written = [];
      committedTail = tail;
      at = undefined;
      return { events, tail };
    },
    reset() {
      heads.reset();
      written = [];
      at = undefined;
      tail = committedTail;
      position = committedTail.position;
    },
  };
}

function assertHead(stream: StreamId, seq: number, expected: number): void {
  if (seq === expected) return;
  throw new EventLogError("conflict", `${stream} is at ${seq}, not at ${expected}`);
}
