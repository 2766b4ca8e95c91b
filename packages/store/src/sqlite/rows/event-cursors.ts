import {
  type Damage,
  EventLogError,
  headerHash,
  type IndexedEventType,
  type PositionedEvent,
  type StreamId,
} from "@deputy/protocol";
import {
  type ChainCheck,
  type ChainPoint,
  createChainCheck,
  type Cursor,
  mapCursor,
  payloadHolds,
  type SealedEvent,
} from "../../log/index.ts";
import type { EventRow, StreamRow, EventRows } from "./event-rows.ts";
import { sha256 } from "../sha256.ts";
import type { LogEnd } from "./log-end.ts";
import { type StreamPlace, type StreamRows } from "./stream-rows.ts";

/** What a cursor reads from. */
export interface CursorSource {
  readonly rows: EventRows;
  readonly streamRows: StreamRows;
  /** Absent: another process writes. */
  readonly end?: LogEnd | undefined;
  /** Runs reads that must see one state of the log. Throws `log_closed`. */
  snapshot<T>(read: () => T): T;
}

/** Reads one stream from `after` on. Verifies payloads, links, and the head when it gets there. */
export function createStreamCursor(
  source: CursorSource,
  stream: StreamId,
  after: number,
): Cursor<SealedEvent> {
  const { streamRows } = source;
  let place: StreamPlace = { seq: after, position: 0 };
  let chain: ChainCheck | undefined;

  /** Starts at the event before the first one wanted, to check that link too. */
  const enter = (row: StreamRow): ChainCheck => {
    if (after === 0) return createChainCheck(sha256, stream);
    const before = streamRows.find(row, after);
    if (before === undefined) throw damaged(`${stream}: event ${after} is missing`);
    place = { seq: after, position: before.position };
    return createChainCheck(sha256, stream, { seq: after, hash: headerHash(sha256, before.event) });
  };

  return {
    page: (limit) =>
      source.snapshot(() => {
        const row = streamRows.stream(stream);
        if (row === undefined || (chain === undefined && row.seq <= after)) return [];
        chain ??= enter(row);
        const page = streamRows.follow(row, place, limit);
        for (const sealed of page) failOn(chain.next(sealed));
        if (page.length < limit) failOn(chain.end(row));
        place = placeOf(page.at(-1)) ?? place;
        return page;
      }),
  };
}

/** The most streams whose last hash a cursor over all of them remembers, to check the next link. */
const REMEMBERED_STREAMS = 4096;

/** Reads the whole log by position, verifying like `createPlacedCursor`. */
export function createLogCursor(source: CursorSource, options: LogCursorOptions): Cursor<PositionedEvent> {
  return mapCursor(createPlacedCursor(source, options), ({ position, event }) => ({ position, event }));
}

export interface LogCursorOptions {
  readonly after: number;
  readonly types?: readonly IndexedEventType[] | undefined;
}

/** Reads the whole log by position. Verifies payloads, and each link of which it reads both ends. */
export function createPlacedCursor(source: CursorSource, options: LogCursorOptions): Cursor<EventRow> {
  const seen = new Map<StreamId, ChainPoint>();
  const { end } = source;
  const { types } = options;
  let position = options.after;

  const read = (limit: number): readonly EventRow[] => {
    if (end?.mayFollow(position, types) === false) return [];
    if (types === undefined) return source.rows.after(position, limit);
    const page = source.rows.indexedEventsAfter(types, position, limit);
    if (page.length < limit) end?.read(types, position, page);
    return page;
  };

  const check = (row: EventRow): void => {
    const { stream, seq, prev } = row.event;
    const before = seen.get(stream);
    if (!payloadHolds(sha256, row)) throw damaged(`${stream}: the payload of event ${seq} was changed`);
    if (before?.seq === seq - 1 && before.hash !== prev)
      throw damaged(`${stream}: event ${seq} does not follow event ${seq - 1}`);
    seen.delete(stream);
    seen.set(stream, { seq, hash: headerHash(sha256, row.event) });
    const [oldest] = seen.keys();
    if (seen.size > REMEMBERED_STREAMS && oldest !== undefined) seen.delete(oldest);
  };

  return {
    page: (limit) =>
      source.snapshot(() => {
        const page = read(limit);
        for (const row of page) check(row);
        position = page.at(-1)?.position ?? position;
        return page;
      }),
  };
}

/** The place of a row; undefined if there was none. */
export function placeOf(row: EventRow | undefined): StreamPlace | undefined {
  return row === undefined ? undefined : { seq: row.event.seq, position: row.position };
}

function failOn(damage: Damage | undefined): void {
  if (damage !== undefined) throw damaged(damage.message);
}

function damaged(message: string): EventLogError {
  return new EventLogError("log_damaged", message, {
    hint: "`deputy audit verify` lists everything that is damaged, `deputy audit repair` keeps what is not.",
  });
}
