import type { ViewSnapshot, ViewSnapshots } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import type { CommitQueue } from "../database/commit-queue.ts";
import { indexedEventNumber } from "../database/schema.ts";
import { sha256 } from "../sha256.ts";

/**
 * Snapshots of views, stored among the facts of the database. A repair drops them, an erasure empties them.
 */
export interface SnapshotTable extends ViewSnapshots {
  /**
   * True if a snapshot may contain the events at these positions. No snapshot contains a delivery: views keep
   * only its stream.
   */
  mayHold(positions: readonly number[]): boolean;
  /** Within a transaction. From now on this process keeps none: its views know what is gone. */
  drop(): void;
}

export const SNAPSHOT_PREFIX = "view:";
/** A larger snapshot is not kept: something in it grows without bound. */
const LARGEST_SNAPSHOT_CHARS = 16_000_000;

export function createSnapshotTable(deps: {
  readonly db: Database;
  /** Absent for a reader, which keeps nothing. */
  readonly queue?: CommitQueue;
}): SnapshotTable {
  const { db, queue } = deps;
  const select = db.sql("SELECT value FROM facts WHERE name = ?");
  const typeAt = db.sql("SELECT landmark FROM events WHERE position = ?");
  const delivered = indexedEventNumber("hook.received");
  /** The views of this process still hold what was erased: what they are is not kept any more. */
  let isErased = false;

  return {
    async load(name) {
      try {
        return decode(select.get(SNAPSHOT_PREFIX + name)?.["value"]);
      } catch {
        return undefined;
      }
    },
    async save(name, snapshot) {
      const value = encode(snapshot);
      if (queue === undefined || isErased || value.length > LARGEST_SNAPSHOT_CHARS) return;
      const write = (): void => {
        if (isErased) return;
        db.sql("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(SNAPSHOT_PREFIX + name, value);
      };
      await queue.submit("relaxed", write).catch(() => undefined);
    },
    mayHold: (positions) =>
      positions.some((position) => {
        const landmark = typeAt.get(position)?.["landmark"];
        return typeof landmark === "number" && landmark !== delivered;
      }),
    drop() {
      isErased = true;
      db.sql("DELETE FROM facts WHERE name GLOB ?").run(`${SNAPSHOT_PREFIX}*`);
    },
  };
}

/** Flipped bits must be noticed, because the events behind a snapshot are not read again. */
function encode(snapshot: ViewSnapshot): string {
  const text = JSON.stringify(snapshot);
  return `${sha256(text)}${text}`;
}

const HASH_CHARS = 64;

function decode(value: unknown): ViewSnapshot | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.slice(HASH_CHARS);
  return sha256(text) === value.slice(0, HASH_CHARS) ? (JSON.parse(text) as ViewSnapshot) : undefined;
}
