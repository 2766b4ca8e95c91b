import { type EventLog, EventLogError, type Journal, type NewEvent } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { type Draft, draftEvent, followAll, followStream, type LiveHub, mapCursor } from "../../log/index.ts";
import type { Checkpointer } from "../database/checkpointer.ts";
import type { CommitQueue } from "../database/commit-queue.ts";
import { createLogCursor } from "./event-cursors.ts";
import type { EventWriter } from "./event-writer.ts";
import { type JournalTable, readJournal } from "../journal/journal-table.ts";
import type { SqliteReads } from "./log-reads.ts";
import type { SnapshotTable } from "./snapshot-table.ts";
import type { StoreLimits } from "../store-limits.ts";
import { setImmediate } from "node:timers/promises";
import type { EventId } from "@deputy/kit";

export function createSqliteLog(deps: {
  readonly db: Database;
  readonly reads: SqliteReads;
  readonly writer: EventWriter;
  readonly queue: CommitQueue;
  readonly checkpointer: Checkpointer;
  readonly hub: LiveHub;
  readonly journal: JournalTable;
  readonly snapshots: SnapshotTable;
  readonly limits: StoreLimits;
}): EventLog {
  const { db, reads, writer, queue, checkpointer, hub, limits } = deps;

  return {
    async append(stream, events, options = {}) {
      const { durability = "full", expectedSeq, journal = [] } = options;
      const drafts = events.map((event) => draftWithin(limits, event));
      for (const { bytes } of journal) assertSize("A journal entry", bytes.length, limits.journalEntryBytes);
      return queue.submit(durability, () => {
        const stored = writer.append({ stream, drafts, expectedSeq });
        for (const entry of journal) deps.journal.add(entry);
        return stored;
      });
    },
    publish: (delta) => hub.publish(delta),
    read: reads.read,
    readAll: reads.readAll,
    subscribe(stream, { after = 0 }, signal) {
      const cursor = mapCursor(reads.streamCursor(stream, after), (sealed) => sealed.event);
      return followStream(hub, stream, { after, cursor }, signal);
    },
    subscribeAll: ({ after = 0, types }, signal) =>
      followAll(hub, createLogCursor(reads.source, { after, types }), signal),
    head: reads.head,
    streams: reads.streams,
    async erase(event, by, reason) {
      assertOpen(db);
      const positions: number[] = [];
      for (const one of typeof event === "string" ? [event] : event) {
        const position = await findEvent(db, one);
        if (position === undefined) throw new EventLogError("unknown_event", `There is no event ${one}`);
        positions.push(position);
      }
      await queue.submit("full", () => {
        for (const position of positions) writer.erase(position, by, reason);
        if (deps.snapshots.mayHold(positions)) deps.snapshots.drop();
      });
      checkpointer.truncate();
    },
    verify: reads.verify,
    journal: createJournal(deps),
    snapshots: deps.snapshots,
  };
}

function createJournal(deps: {
  readonly db: Database;
  readonly queue: CommitQueue;
  readonly journal: JournalTable;
}): Journal {
  return {
    read: readJournal(deps.db, () => deps.journal),
    erase: (cell) => deps.queue.submit("full", () => deps.journal.erase(cell)),
  };
}

function assertOpen(db: Database): void {
  if (!db.isOpen) throw new EventLogError("log_closed", "The log is closed");
}

function draftWithin(limits: StoreLimits, event: NewEvent): Draft {
  const draft = draftEvent(event);
  // A UTF-16 unit is at most three bytes, so counting them is rarely needed.
  if (draft.payload.length * 3 > limits.eventBytes)
    assertSize(`The payload of ${event.type}`, Buffer.byteLength(draft.payload), limits.eventBytes);
  return draft;
}

function assertSize(what: string, bytes: number, limit: number): void {
  if (bytes > limit)
    throw new EventLogError("event_too_large", `${what} has ${bytes} bytes; the limit is ${limit}`);
}

/** Positions to look at before yielding to other work. */
const SCAN_POSITIONS = 4096;

/**
 * The position of an event; undefined if it does not exist. Ids rise with positions, so this rare question
 * needs no index; a scan finds the exceptions that imports and a clock that went back cause.
 */
async function findEvent(db: Database, id: EventId): Promise<number | undefined> {
  const end = Number(db.sql("SELECT max(position) AS end FROM events").get()?.["end"] ?? 0);
  return searchEvent(db, id, end) ?? (await scanForEvent(db, id, end));
}

function searchEvent(db: Database, id: EventId, end: number): number | undefined {
  const probe = db.sql("SELECT position, id FROM events WHERE position >= ? ORDER BY position LIMIT 1");
  let low = 1;
  let high = end;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const row = probe.get(middle);
    if (row?.["id"] === id) return Number(row["position"]);
    if (row === undefined || String(row["id"]) > id) high = middle - 1;
    else low = Number(row["position"]) + 1;
  }
  return undefined;
}

async function scanForEvent(db: Database, id: EventId, end: number): Promise<number | undefined> {
  const scan = db.sql("SELECT position FROM events WHERE position > ? AND position <= ? AND id = ?");
  for (let from = 0; from < end; from += SCAN_POSITIONS) {
    const found = scan.get(from, from + SCAN_POSITIONS, id)?.["position"];
    if (typeof found === "number") return found;
    await setImmediate();
  }
  return undefined;
}
