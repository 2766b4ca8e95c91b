import { createSlices } from "@deputy/kit";
import type { LogItem, PositionedEvent, StoredEvent, StreamId } from "@deputy/protocol";
import type { LiveHub } from "./live-hub.ts";

/**
 * A stream from a cursor that stands after `after`, then everything as it is committed, with the deltas in
 * between. Ends when the signal aborts or the hub closes; throws what the cursor throws.
 */
export async function* followStream(
  hub: LiveHub,
  stream: StreamId,
  from: { readonly after: number; readonly cursor: Cursor<StoredEvent> },
  signal: AbortSignal,
): AsyncGenerator<LogItem> {
  const subscriber = hub.join(stream);
  let seq = from.after;
  try {
    while (!signal.aborted && !hub.closed) {
      if (!subscriber.live) {
        const page = from.cursor.page(PAGE_ITEMS);
        if (page.length === 0) yield* subscriber.goLive().map((delta) => ({ kind: "delta", delta }) as const);
        yield* asItems(page, signal);
        seq = page.at(-1)?.seq ?? seq;
        continue;
      }
      const due = subscriber.take();
      if (due === undefined) await subscriber.wait(signal);
      else if (due.kind === "delta") yield due;
      else {
        for (let more = true; more && seq < due.through && !signal.aborted && !hub.closed;) {
          const page = from.cursor.page(Math.min(PAGE_ITEMS, due.through - seq));
          yield* asItems(page, signal);
          seq = page.at(-1)?.seq ?? seq;
          more = page.length > 0;
        }
      }
    }
  } finally {
    subscriber.leave();
  }
}

function* asItems(page: readonly StoredEvent[], signal: AbortSignal): Generator<LogItem> {
  for (const event of page) {
    if (signal.aborted) return;
    yield { kind: "event", event };
  }
}

/** As `followStream`, over all streams and without deltas. */
export async function* followAll(
  hub: LiveHub,
  cursor: Cursor<PositionedEvent>,
  signal: AbortSignal,
): AsyncGenerator<PositionedEvent> {
  const { bell, leave } = hub.joinAll();
  const slices = createSlices();
  try {
    while (!signal.aborted && !hub.closed) {
      const page = cursor.page(PAGE_ITEMS);
      for (const item of page) {
        if (signal.aborted) return;
        yield item;
      }
      if (page.length === PAGE_ITEMS) await slices.next();
      else if (page.length === 0) await bell.wait(signal);
    }
  } finally {
    leave();
  }
}

/** A place in a log that moves forward one page at a time. Every page is verified before it is handed out. */
export interface Cursor<T> {
  /** The next items, at most `limit`; empty at the head. Throws `log_damaged` or `log_closed`. */
  page(limit: number): readonly T[];
}

/** How many items are read, and held in memory, at a time. */
export const PAGE_ITEMS = 256;

/**
 * Everything up to the head at the time of each page, at most `limit` items. Yields to other work between
 * pages.
 */
export async function* readToHead<T>(cursor: Cursor<T>, limit = Infinity): AsyncGenerator<T> {
  const slices = createSlices();
  for (let left = limit; left > 0;) {
    const page = cursor.page(Math.min(left, PAGE_ITEMS));
    if (page.length === 0) return;
    yield* page;
    left -= page.length;
    if (page.length === PAGE_ITEMS || slices.isOver()) await slices.next();
  }
}

/** The same cursor, but maps each item to something else. */
export function mapCursor<T, U>(cursor: Cursor<T>, map: (item: T) => U): Cursor<U> {
  return { page: (limit) => cursor.page(limit).map(map) };
}
