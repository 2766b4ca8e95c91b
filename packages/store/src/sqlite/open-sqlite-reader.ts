import { setImmediate } from "node:timers/promises";
import { systemCodeOf } from "@deputy/kit";
import {
  type AuditNeedles,
  type Journal,
  type StoredEvent,
  type VerifyReport,
  type ViewSnapshots,
  headerHash,
  EventLogError,
  type StreamId,
} from "@deputy/protocol";
import { type UnverifiedEvents, PAGE_ITEMS, payloadHolds } from "../log/index.ts";
import { openAnywhere, type OpenedAnywhere } from "./database/connection.ts";
import { StoreError } from "./store-error.ts";
import { damagedError, inspectStore } from "./soundness/inspect-store.ts";
import {
  unlockJournalForReading,
  createJournalTable,
  type JournalTable,
  readJournal,
} from "./journal/journal-table.ts";
import { createLogReads, type LogReads, type SealedSource } from "./rows/log-reads.ts";
import { createUnverifiedEvents } from "./rows/placed-events.ts";
import { assertOurs, CHAPTER_BITS } from "./database/schema.ts";
import { sizeOf, type StoreFiles, storeFiles } from "./database/store-files.ts";
import { createSnapshotTable } from "./rows/snapshot-table.ts";
import { defaultStoreLimits } from "./store-limits.ts";
import type { VerifyOptions } from "./soundness/verify-log.ts";
import { createHash } from "node:crypto";
import type { Database } from "@deputy/sqlite";
import {
  decodeEvent,
  decodeStream,
  readable,
  SELECT_EVENTS,
  type StreamRow,
  type EventRow,
} from "./rows/event-rows.ts";
import type { CursorSource } from "./rows/event-cursors.ts";
import { sha256 } from "./sha256.ts";

export interface SqliteReader extends LogReads, SealedSource, AsyncDisposable {
  /** Rejects with `key_missing` or `key_invalid` without the key it was encrypted with. */
  readonly journal: Pick<Journal, "read">;
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** All events, the newest first: read no further than needed. */
  readBackwards(filter?: BackwardsFilter): AsyncIterable<StoredEvent>;
  /** The same with positions; also of the rows in between that do not match, at times: `event` is undefined then. */
  walkBackwards(filter?: BackwardsFilter): AsyncIterable<WalkedEvent>;
  /** The position of the last event; 0 when there is none. */
  lastPosition(): number;
  /** The snapshots of the process that writes; a reader saves none. */
  readonly snapshots: ViewSnapshots;
  /** The log as it is; for comparing it with the daily files. */
  readonly unverified: UnverifiedEvents;
  /** One hash over everything up to a position, or to the end. Throws `log_damaged` for what cannot be read. */
  anchor(position?: number): LogAnchor;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * Reads a log that another process may be writing to; takes no lock and changes nothing.
 * Throws `no_database`, `foreign_database`, `database_too_new` or `log_damaged`.
 */
export function openSqliteReader(options: { readonly directory: string }): SqliteReader {
  const files = storeFiles(options.directory);
  if (sizeOf(files.database) === 0) throw nothingToRead(files);
  const { db, release } = openSound(files);
  const { source, read, readAll, readSealed, head, streams, verify } = createLogReads({
    db,
    tailPath: files.tail,
    isolation: "beside_writer",
    integrityCheckBytes: Infinity,
  });
  let table: JournalTable | undefined;
  const unlocked = (): JournalTable => (table ??= createJournalTable(db, unlockJournalForReading(db, files)));
  const journal = { read: readJournal(db, unlocked) };
  const close = async (): Promise<void> => {
    if (!db.isOpen) return;
    db.close();
    release();
  };
  return {
    read,
    readAll,
    readSealed,
    head,
    streams,
    verify,
    journal,
    readBackwards: (filter = {}) => readBackwards(db, source, filter),
    walkBackwards: (filter = {}) => walkBackwards(db, source, filter),
    lastPosition: () => source.snapshot(() => source.rows.lastPosition()),
    snapshots: createSnapshotTable({ db }),
    unverified: createUnverifiedEvents(db, source),
    anchor: (position) => anchorAt(db, source, position),
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function noDatabase(directory: string): StoreError {
  return new StoreError("no_database", `There is no log in ${directory} yet`, {
    hint: "Start Deputy once, or choose another home with --home.",
  });
}

/** A database that is gone is not the same as one that never was. */
function nothingToRead(files: StoreFiles): StoreError {
  const { damage } = inspectStore(files, defaultStoreLimits);
  return damage.length === 0 ? noDatabase(files.directory) : damagedError(files, damage);
}

function openSound(files: StoreFiles): OpenedAnywhere {
  const path = files.database;
  let opened: OpenedAnywhere | undefined;
  try {
    opened = openAnywhere(path);
    assertOurs(opened.db, path);
    return opened;
  } catch (cause) {
    opened?.db.close();
    opened?.release();
    if (cause instanceof StoreError) throw cause;
    if (systemCodeOf(cause) === "EACCES")
      throw new StoreError("home_unusable", `You may not read ${path}`, {
        cause,
        hint: "Nothing is known to be wrong with it: run this as its owner.",
      });
    throw new StoreError("log_damaged", `${path} cannot be read`, {
      cause,
      hint: "Nothing was changed. `deputy audit repair` keeps what is sound, takes the rest from the daily files, and puts the damaged files aside.",
    });
  }
}

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

/** The anchor at a position, or at the end. It reads one state of the log and holds one stream at a time. */
function anchorAt(db: Database, source: CursorSource, wanted?: number): LogAnchor {
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

/** Which events to return when the log is read from its end. */
interface BackwardsFilter {
  /** From this moment on, and before that one; as events are dated. */
  readonly since?: string;
  readonly until?: string;
  /** A type, or what its types begin with: `call.settled`, `call`. */
  readonly type?: string;
  /** One of these, in the same way. */
  readonly types?: readonly string[];
  /** Only events before this position. */
  readonly before?: number;
  /** Only events with all of these in their type or their payload, in whatever case; others are not even read. */
  readonly needles?: AuditNeedles;
}

export interface WalkedEvent {
  /** Everything from here on has been looked at. */
  readonly position: number;
  readonly event: StoredEvent | undefined;
  /** When what is there was recorded, as it stands there. */
  readonly at?: string | undefined;
}

/** The most positions that one statement walks, even if few of them match. */
const SLICE_POSITIONS = 20_000;
/** The same where it looks into every payload: the program does nothing else meanwhile. */
const SEARCHED_POSITIONS = 4_000;
/** Streams whose next event is remembered, to check the link to it. */
const REMEMBERED_STREAMS = 4_096;

/**
 * The whole log, newest event first, until the reader stops: the cost does not depend on the length of the
 * log. Verifies payloads, and each link of which both ends are read. Throws `log_damaged` or `log_closed`.
 */
async function* readBackwards(
  db: Database,
  source: CursorSource,
  filter: BackwardsFilter,
): AsyncGenerator<StoredEvent> {
  for await (const { event } of walkBackwards(db, source, filter)) if (event !== undefined) yield event;
}

async function* walkBackwards(
  db: Database,
  source: CursorSource,
  filter: BackwardsFilter,
): AsyncGenerator<WalkedEvent> {
  const { conditions, values } = sqlOf(filter);
  const select = db.sql(
    `${SELECT_EVENTS} WHERE e.position < ? AND e.position >= ?${conditions} ORDER BY e.position DESC LIMIT ?`,
  );
  const followers = new Map<StreamId, StoredEvent>();
  const check = (row: EventRow): void => {
    const { event } = row;
    const { stream, seq } = event;
    if (!payloadHolds(sha256, row)) throw damaged(`${stream}: the payload of event ${seq} was changed`);
    const next = followers.get(stream);
    if (next?.seq === seq + 1 && next.prev !== headerHash(sha256, event))
      throw damaged(`${stream}: event ${seq + 1} does not follow event ${seq}`);
    if (followers.size >= REMEMBERED_STREAMS) followers.clear();
    followers.set(stream, event);
  };

  const positions = (filter.needles?.all.length ?? 0) === 0 ? SLICE_POSITIONS : SEARCHED_POSITIONS;
  let before = Math.min(source.snapshot(() => source.rows.lastPosition()) + 1, filter.before ?? Infinity);
  while (before > 1) {
    const from = Math.max(before - positions, 1);
    const page = source.snapshot(() =>
      readable(() => select.all(before, from, ...values, PAGE_ITEMS).map(decodeEvent)),
    );
    for (const row of page) {
      check(row);
      yield row;
    }
    if (page.length < PAGE_ITEMS)
      yield { position: from, event: undefined, at: source.snapshot(() => dateAt(source, from)) };
    before = page.length === PAGE_ITEMS ? (page.at(-1)?.position ?? from) : from;
    // A long walk lets others in.
    await setImmediate();
  }
}

/** Nothing verifies it: whatever is no date is left out. */
function dateAt(source: CursorSource, position: number): string | undefined {
  const at = Date.parse(source.rows.at(position)?.event.at ?? "");
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Dates in another format than ours are left to the caller to compare. */
function sqlOf({
  since,
  until,
  type,
  types = type === undefined ? undefined : [type],
  needles,
}: BackwardsFilter): {
  readonly conditions: string;
  readonly values: readonly string[];
} {
  const parts: string[] = [];
  const values: string[] = [];
  if (since !== undefined) {
    parts.push("(e.at >= ? OR e.at NOT LIKE '%Z')");
    values.push(since);
  }
  if (until !== undefined) {
    parts.push("(e.at < ? OR e.at NOT LIKE '%Z')");
    values.push(until);
  }
  if (types !== undefined) {
    const one = "e.type = ? OR substr(e.type, 1, length(?)) = ?";
    parts.push(`(${types.map(() => one).join(" OR ")})`);
    for (const name of types) values.push(name, `${name}.`, `${name}.`);
  }
  if (needles !== undefined && needles.all.length > 0) {
    const { all, orTypes } = needles;
    const one = "(instr(lower(e.payload), ?) > 0 OR instr(lower(e.type), ?) > 0)";
    parts.push(`(e.type IN (${orTypes.map(() => "?").join(", ")}) OR (${all.map(() => one).join(" AND ")}))`);
    values.push(...orTypes);
    for (const needle of all) values.push(needle, needle);
  }
  return { conditions: parts.map((part) => ` AND ${part}`).join(""), values };
}

function damaged(message: string): EventLogError {
  return new EventLogError("log_damaged", message, {
    hint: "`deputy audit verify` lists everything that is damaged, `deputy audit repair` keeps what is not.",
  });
}
