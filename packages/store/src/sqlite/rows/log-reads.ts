import {
  type EventLog,
  EventLogError,
  type StreamHead,
  type StreamId,
  type VerifyReport,
} from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { type Cursor, mapCursor, PAGE_ITEMS, readToHead, type SealedEvent } from "../../log/index.ts";
import { createLogCursor, createStreamCursor, type CursorSource } from "./event-cursors.ts";
import { type StreamRow, createEventRows } from "./event-rows.ts";
import type { LogEnd } from "./log-end.ts";
import { createStreamRows } from "./stream-rows.ts";
import type { VerifyOptions } from "../soundness/verify-log.ts";

/** The part of the log that only reads; the same for the writer and for other processes. */
export type LogReads = Pick<EventLog, "read" | "readAll" | "head" | "streams" | "verify">;

/** Streams with the input of their payload hashes: what an export needs. */
export interface SealedSource {
  head(stream: StreamId): Promise<StreamHead | undefined>;
  /** Verified like `read`. */
  readSealed(stream: StreamId): AsyncIterable<SealedEvent>;
}

export interface SqliteReads extends LogReads, SealedSource {
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  readonly source: CursorSource;
  streamCursor(stream: StreamId, after: number): Cursor<SealedEvent>;
}

/** `isolation`: whether another process may commit between two statements of one snapshot. */
export function createLogReads(deps: {
  readonly db: Database;
  readonly tailPath: string;
  readonly isolation: "only_writer" | "beside_writer";
  /** What the only writer knows. */
  readonly end?: LogEnd;
  /** Above this size `verify` leaves out SQLite's own check, which blocks everything else. */
  readonly integrityCheckBytes: number;
}): SqliteReads {
  const { db } = deps;
  const source: CursorSource = {
    rows: createEventRows(db),
    streamRows: createStreamRows(db, deps.end),
    end: deps.end,
    snapshot: createSnapshot(deps),
  };
  const streamCursor = (stream: StreamId, after: number): Cursor<SealedEvent> =>
    createStreamCursor(source, stream, after);

  return {
    source,
    streamCursor,
    read: (stream, { after = 0, limit } = {}) =>
      readToHead(
        mapCursor(streamCursor(stream, after), (sealed) => sealed.event),
        limit,
      ),
    readSealed: (stream) =>
      readToHead(
        mapCursor(streamCursor(stream, 0), ({ event, salt, payload }) => ({ event, salt, payload })),
      ),
    readAll: ({ after = 0, types } = {}) => readToHead(createLogCursor(source, { after, types })),
    async head(stream) {
      const row = source.snapshot(() => source.streamRows.stream(stream));
      return row === undefined ? undefined : headOf(row);
    },
    streams: ({ changedAfter } = {}) => readToHead(createStreamsCursor(source, changedAfter)),
    async verify(options = {}) {
      const { verifyLog } = await import("../soundness/verify-log.ts");
      return await verifyLog({ ...source, ...deps }, options);
    },
  };
}

function createStreamsCursor(source: CursorSource, changedAfter?: number): Cursor<StreamHead> {
  let after = 0;
  return {
    page(limit) {
      const page = source.snapshot(() =>
        source.streamRows.streamsAfter(after, Math.min(limit, PAGE_ITEMS), changedAfter),
      );
      after = page.at(-1)?.rowId ?? after;
      return page.map(headOf);
    },
  };
}

function headOf({ stream, seq, hash, schemaVersion }: StreamRow): StreamHead {
  return { stream, seq, hash, schemaVersion };
}

function createSnapshot(deps: {
  readonly db: Database;
  readonly isolation: "only_writer" | "beside_writer";
}): CursorSource["snapshot"] {
  const { db } = deps;
  const assertOpen = (): void => {
    if (!db.isOpen) throw new EventLogError("log_closed", "The log is closed");
  };
  if (deps.isolation === "only_writer") {
    return (read) => {
      assertOpen();
      return read();
    };
  }
  const begin = db.sql("BEGIN");
  const end = db.sql("COMMIT");
  return (read) => {
    assertOpen();
    begin.run();
    try {
      return read();
    } finally {
      end.run();
    }
  };
}
