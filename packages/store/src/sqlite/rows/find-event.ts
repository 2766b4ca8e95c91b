import { setImmediate } from "node:timers/promises";
import type { EventId } from "@deputy/kit";
import type { Database } from "@deputy/sqlite";

/** Positions looked at before others get a turn. */
const SCAN_POSITIONS = 4096;

/**
 * The position of an event; undefined when there is none. Ids rise with positions, so that no index
 * is kept for this rare question; imports and a clock that went back make exceptions, found by a scan.
 */
export async function findEvent(db: Database, id: EventId): Promise<number | undefined> {
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
