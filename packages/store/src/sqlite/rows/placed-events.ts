import type { Database } from "@deputy/sqlite";
import type { LiveHub, PlacedEvents, UnverifiedEvents } from "../../log/index.ts";
import { readable } from "./event-rows.ts";
import { createPlacedCursor, type CursorSource } from "./event-cursors.ts";

export function createPlacedEvents(source: CursorSource, hub: LiveHub): PlacedEvents {
  const { rows, streamRows, snapshot } = source;
  return {
    after: (position) => createPlacedCursor(source, { after: position }),
    at: (position) => snapshot(() => rows.at(position)),
    find: (stream, seq) =>
      snapshot(() => {
        const row = streamRows.stream(stream);
        return row === undefined ? undefined : streamRows.find(row, seq);
      }),
    joinCommits: () => hub.joinAll(),
  };
}

export function createUnverifiedEvents(db: Database, { rows, snapshot }: CursorSource): UnverifiedEvents {
  return {
    page: (after, limit) => snapshot(() => rows.after(after, limit)),
    lastPosition: () => snapshot(() => rows.lastPosition()),
    days: () =>
      snapshot(() => readable(() => db.sql(DAYS).all())).map((row) => ({
        day: String(row["day"]),
        first: Number(row["first"]),
        last: Number(row["last"]),
      })),
  };
}

const DAYS = `SELECT substr(at, 1, 10) AS day, min(position) AS first, max(position) AS last
  FROM events GROUP BY day ORDER BY day`;
