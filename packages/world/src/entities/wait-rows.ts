import type { Wait } from "@workflow/world";
import { type WorldDatabase, decode, encode } from "../sqlite/database.ts";

export interface DueWait {
  readonly run: string;
  /** Unique within its run. */
  readonly correlation: string;
  readonly wait: Wait;
}

/** Sleeps of runs. A waiting one has an indexed time and no message in the queue: ten thousand cost nothing. */
export interface WaitRows {
  get(run: string, correlation: string): Wait | undefined;
  /** False if it already exists. */
  insert(correlation: string, wait: Wait): boolean;
  update(correlation: string, wait: Wait): void;
  due(ms: number, limit: number): readonly DueWait[];
  /** When the earliest waiting sleep ends. */
  next(): number | undefined;
}

export function createWaitRows(db: WorldDatabase): WaitRows {
  const resumeMs = (wait: Wait): number | null =>
    wait.status === "waiting" ? (wait.resumeAt?.getTime() ?? null) : null;
  return {
    get(run, correlation) {
      const row = db.sql("SELECT doc FROM waits WHERE run = ? AND id = ?").get(run, correlation);
      return row && (decode(row) as Wait);
    },
    insert(correlation, wait) {
      const { changes } = db
        .sql("INSERT INTO waits (run, id, resume_at, doc) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        .run(wait.runId, correlation, resumeMs(wait), encode(wait));
      return changes === 1;
    },
    update(correlation, wait) {
      db.sql("UPDATE waits SET resume_at = ?, doc = ? WHERE run = ? AND id = ?").run(
        resumeMs(wait),
        encode(wait),
        wait.runId,
        correlation,
      );
    },
    due(ms, limit) {
      const rows = db
        .sql("SELECT run, id, doc FROM waits WHERE resume_at <= ? ORDER BY resume_at LIMIT ?")
        .all(ms, limit);
      return rows.map((row) => ({
        run: String(row["run"]),
        correlation: String(row["id"]),
        wait: decode(row) as Wait,
      }));
    },
    next() {
      const first = db.sql("SELECT min(resume_at) AS first FROM waits WHERE resume_at IS NOT NULL").get();
      return typeof first?.["first"] === "number" ? first["first"] : undefined;
    },
  };
}
