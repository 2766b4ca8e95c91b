import type { Event, PaginatedResponse, PaginationOptions } from "@workflow/world";
import { type WorldDatabase, decode, encode } from "../sqlite/database.ts";

/** The most events in one page, even if more are requested. */
const PAGE = 1_000;

/** The events of runs, in the order of commit. */
export interface EventRows {
  /** Inside a transaction. */
  append(event: Event): void;
  get(run: string, id: string): Event | undefined;
  list(run: string, pagination?: PaginationOptions): PaginatedResponse<Event>;
  listByCorrelation(correlation: string, pagination?: PaginationOptions): PaginatedResponse<Event>;
}

export function createEventRows(db: WorldDatabase): EventRows {
  const page = (column: "run" | "correlation", of: string, options: PaginationOptions = {}) => {
    const isDescending = options.sortOrder === "desc";
    const limit = Math.min(options.limit ?? PAGE, PAGE);
    const start = isDescending ? Number.MAX_SAFE_INTEGER : 0;
    const rows = db
      .sql(
        `SELECT seq, doc FROM events WHERE ${column} = ? AND seq ${isDescending ? "<" : ">"} ?
         ORDER BY seq ${isDescending ? "DESC" : "ASC"} LIMIT ?`,
      )
      .all(of, options.cursor === undefined ? start : Number(options.cursor), limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1)?.["seq"];
    return {
      data: shown.map((row) => decode(row) as Event),
      // On the last page too: the reader uses it to ask for later events.
      cursor: last === undefined ? (options.cursor ?? null) : String(last),
      hasMore: rows.length > limit,
    };
  };

  return {
    append(event) {
      db.sql("INSERT INTO events (run, id, correlation, doc) VALUES (?, ?, ?, ?)").run(
        event.runId,
        event.eventId,
        event.correlationId ?? null,
        encode(event),
      );
    },
    get(run, id) {
      const row = db.sql("SELECT doc FROM events WHERE run = ? AND id = ?").get(run, id);
      return row && (decode(row) as Event);
    },
    list: (run, pagination) => page("run", run, pagination),
    listByCorrelation: (correlation, pagination) => page("correlation", correlation, pagination),
  };
}
