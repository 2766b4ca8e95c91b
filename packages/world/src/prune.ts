import type { WorldDatabase } from "./sqlite/database.ts";

/** How many ended runs and tasks are kept, and for how long. */
export interface Retention {
  readonly runs: number;
  readonly days: number;
}

export const RETENTION: Retention = { runs: 1_000, days: 7 };

const DAY_MS = 86_400_000;
/** Runs and tasks removed in one transaction; the rest waits for the next time. */
const BATCH = 200;

/** Removes ended runs and tasks that are no longer kept. Returns how many runs, and whether there are more. */
export function prune(
  db: WorldDatabase,
  now: number,
  retention: Retention,
): { readonly runs: number; readonly isMore: boolean } {
  const before = now - retention.days * DAY_MS;
  return db.write("prune", "relaxed", () => {
    const runs = endedBefore(db, "runs", before, retention.runs);
    for (const run of runs)
      for (const table of ["events", "steps", "waits", "hooks", "chunks", "queue"])
        db.sql(`DELETE FROM ${table} WHERE run = ?`).run(run);
    for (const run of runs) db.sql("DELETE FROM runs WHERE id = ?").run(run);
    const tasks = endedBefore(db, "tasks", before, retention.runs);
    for (const task of tasks) {
      db.sql("DELETE FROM firings WHERE task = ?").run(task);
      db.sql("DELETE FROM tasks WHERE id = ?").run(task);
    }
    db.sql("DELETE FROM firings WHERE state = 'done' AND at < ?").run(before);
    db.sql("DELETE FROM answers WHERE at < ?").run(before);
    return { runs: runs.length, isMore: runs.length === BATCH || tasks.length === BATCH };
  });
}

/** The oldest ended ones that are too many or too old. */
function endedBefore(
  db: WorldDatabase,
  table: "runs" | "tasks",
  before: number,
  keep: number,
): readonly string[] {
  const overflow = db
    .sql(`SELECT ended FROM ${table} WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT 1 OFFSET ?`)
    .get(keep)?.["ended"];
  const until = Math.max(before, typeof overflow === "number" ? overflow : 0);
  return db
    .sql(`SELECT id FROM ${table} WHERE ended <= ? ORDER BY ended LIMIT ${BATCH}`)
    .all(until)
    .map((row) => String(row["id"]));
}
