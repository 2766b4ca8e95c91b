import type { Outcome, TemplateName } from "../templates/templates.ts";
import type { WorldDatabase } from "../sqlite/database.ts";

export interface TaskRow {
  readonly id: string;
  readonly template: TemplateName;
  /** The current run, or the last one. */
  readonly run: string;
  /** Firings that a run takes before the next one takes over; 0 for templates without them. */
  readonly firings: number;
  /** Firings that the run has been given. */
  readonly delivered: number;
  /** How the task will end, once it is known. */
  readonly outcome: Outcome | undefined;
  readonly stop: boolean;
  readonly isEnded: boolean;
}

export interface TaskRows {
  get(id: string): TaskRow | undefined;
  ofRun(run: string): TaskRow | undefined;
  /** Adds a task with its first run, or replaces one with that id. */
  begin(task: Pick<TaskRow, "id" | "template" | "run" | "firings">): void;
  /** Sets the next run of a task, which has no firings yet. */
  renew(id: string, run: string): void;
  countDelivery(id: string): void;
  /** The first outcome counts; later ones are ignored. */
  setOutcome(id: string, outcome: Outcome, stop: boolean): void;
  end(id: string, at: number): void;
  open(): readonly string[];
}

export function createTaskRows(db: WorldDatabase): TaskRows {
  const one = (column: "id" | "run", value: string): TaskRow | undefined => {
    const row = db.sql(`SELECT * FROM tasks WHERE ${column} = ?`).get(value);
    return row && readTask(row);
  };
  return {
    get: (id) => one("id", id),
    ofRun: (run) => one("run", run),
    begin({ id, template, run, firings }) {
      db.sql("INSERT OR REPLACE INTO tasks (id, template, run, firings) VALUES (?, ?, ?, ?)").run(
        id,
        template,
        run,
        firings,
      );
    },
    renew: (id, run) => void db.sql("UPDATE tasks SET run = ?, delivered = 0 WHERE id = ?").run(run, id),
    countDelivery: (id) => void db.sql("UPDATE tasks SET delivered = delivered + 1 WHERE id = ?").run(id),
    setOutcome(id, outcome, stop) {
      db.sql("UPDATE tasks SET outcome = ?, stop = ? WHERE id = ? AND outcome IS NULL").run(
        outcome,
        stop ? 1 : 0,
        id,
      );
    },
    end(id, at) {
      db.sql("UPDATE tasks SET ended = ? WHERE id = ?").run(at, id);
      db.sql("DELETE FROM firings WHERE task = ?").run(id);
    },
    open: () =>
      db
        .sql("SELECT id FROM tasks WHERE ended IS NULL ORDER BY id")
        .all()
        .map((row) => String(row["id"])),
  };
}

function readTask(row: Record<string, unknown>): TaskRow {
  return {
    id: String(row["id"]),
    template: row["template"] as TemplateName,
    run: String(row["run"]),
    firings: Number(row["firings"]),
    delivered: Number(row["delivered"]),
    outcome: row["outcome"] === null ? undefined : (row["outcome"] as Outcome),
    stop: row["stop"] === 1,
    isEnded: row["ended"] !== null,
  };
}
