import { EventLogError, headerHash, type StoredEvent, type StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { PAGE_ITEMS, payloadHolds } from "../../log/index.ts";
import { decodeEvent, type EventRow, readable, SELECT_EVENTS } from "./decode-row.ts";
import type { CursorSource } from "./event-cursors.ts";
import { sha256 } from "../sha256.ts";

/** What is wanted of the log when it is read from its end. */
export interface BackwardsFilter {
  /** From this moment on, and before that one; as events are dated. */
  readonly since?: string;
  readonly until?: string;
  /** A type, or what its types begin with: `call.settled`, `call`. */
  readonly type?: string;
}

/** Positions that one statement walks at most, however few of them are wanted. */
const SLICE_POSITIONS = 20_000;
/** Streams whose next event is remembered, to check the link to it. */
const REMEMBERED_STREAMS = 4_096;

/**
 * The whole log, the newest event first, up to where the reader stops: what that costs does not depend on the length of
 * the log. Payloads are verified, and each link whose both ends are read. Throws `log_damaged` or `log_closed`.
 */
export async function* readBackwards(
  db: Database,
  source: CursorSource,
  filter: BackwardsFilter,
): AsyncGenerator<StoredEvent> {
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

  let before = source.snapshot(() => source.rows.lastPosition()) + 1;
  while (before > 1) {
    const from = Math.max(before - SLICE_POSITIONS, 1);
    const page = source.snapshot(() =>
      readable(() => select.all(before, from, ...values, PAGE_ITEMS).map(decodeEvent)),
    );
    for (const row of page) {
      check(row);
      yield row.event;
    }
    before = page.length === PAGE_ITEMS ? (page.at(-1)?.position ?? from) : from;
  }
}

/** Dates that are not of our own making are left to whoever reads on. */
function sqlOf({ since, until, type }: BackwardsFilter): {
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
  if (type !== undefined) {
    parts.push("(e.type = ? OR substr(e.type, 1, length(?)) = ?)");
    values.push(type, `${type}.`, `${type}.`);
  }
  return { conditions: parts.map((part) => ` AND ${part}`).join(""), values };
}

function damaged(message: string): EventLogError {
  return new EventLogError("log_damaged", message, {
    hint: "`deputy audit verify` lists everything that is damaged, `deputy audit repair` keeps what is not.",
  });
}
