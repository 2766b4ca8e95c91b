import type { EventLog, StoredEvent, StreamId } from "@deputy/protocol";
import { GatewayError } from "../../gateway-error.ts";
import type { ChangeFeed } from "../change-feed.ts";
import type { RpcHandlers } from "../rpc-context.ts";

const EVENTS_OF_PAGE = 200;
/** The most characters of one page; a client that wants more asks for the page before it. */
const MOST_CHARS = 1_000_000;

type EventsNames = "events.subscribe" | "events.page" | "changes.subscribe" | "events.unsubscribe";

export function eventsHandlers(deps: {
  readonly log: EventLog;
  readonly changes: ChangeFeed;
}): RpcHandlers<EventsNames> {
  const { log } = deps;
  const headOf = async (stream: StreamId): Promise<number> => {
    const head = await log.head(stream);
    if (head === undefined) throw new GatewayError("not_found", "There is no such stream");
    return head.seq;
  };
  return {
    "events.subscribe": async ({ stream, after = 0 }, { feeds, afterAnswer }) => {
      const head = await headOf(stream);
      if (after > head)
        throw new GatewayError("invalid_cursor", "`after` is not a position in this stream", {
          hint: "Leave it out to start from the beginning",
        });
      feeds.assertRoom(stream);
      afterAnswer(() => feeds.subscribe(stream, after));
      return { stream, after, head };
    },
    "events.page": async ({ stream, before = Number.MAX_SAFE_INTEGER, limit = EVENTS_OF_PAGE }) => {
      const head = await headOf(stream);
      const end = Math.min(before, head + 1);
      const after = Math.max(0, end - 1 - limit);
      const events = await lastOf(log.read(stream, { after, limit: end - 1 - after }));
      return { events, hasMore: (events[0]?.seq ?? 1) > 1, head };
    },
    "changes.subscribe": async (_params, { signal, push }) => {
      await deps.changes.follow((data) => push({ event: "changed", data }), signal);
      return { ok: true };
    },
    "events.unsubscribe": async ({ stream }, { feeds }) => ({ ok: feeds.unsubscribe(stream) }),
  };
}

/** As many of the last ones as fit; the last one always does. */
async function lastOf(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const kept: { readonly event: StoredEvent; readonly chars: number }[] = [];
  let chars = 0;
  for await (const event of events) {
    const size = JSON.stringify(event.data).length;
    kept.push({ event, chars: size });
    chars += size;
    while (chars > MOST_CHARS && kept.length > 1) chars -= kept.shift()?.chars ?? 0;
  }
  return kept.map(({ event }) => event);
}
