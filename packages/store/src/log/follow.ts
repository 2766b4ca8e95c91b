import { createSlices } from "@deputy/kit";
import type { LogItem, PositionedEvent, StoredEvent, StreamId } from "@deputy/protocol";
import { type Cursor, PAGE_ITEMS } from "./cursor.ts";
import type { LiveHub } from "./live-hub.ts";

/**
 * A stream from a cursor that stands after `after`, then everything as it is committed, with the
 * deltas in between. Ends when the signal aborts or the hub closes; throws what the cursor throws.
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
