import type { ListWorkflowRunStepsParams, PaginatedResponse, Step } from "@workflow/world";
import { type WorldDatabase, decode, encode } from "../sqlite/database.ts";
import { readPage } from "./page.ts";

export interface StepRows {
  /** Without a run, returns the first with that id: step ids are unique only within their run. */
  get(run: string | undefined, id: string): Step | undefined;
  list(params: ListWorkflowRunStepsParams): PaginatedResponse<Step>;
  /** False if the id is already used. */
  insert(step: Step): boolean;
  update(step: Step): void;
}

export function createStepRows(db: WorldDatabase): StepRows {
  return {
    get(run, id) {
      const row =
        run === undefined
          ? db.sql("SELECT doc FROM steps WHERE id = ? LIMIT 1").get(id)
          : db.sql("SELECT doc FROM steps WHERE run = ? AND id = ?").get(run, id);
      return row && (decode(row) as Step);
    },
    list: ({ runId, pagination }) =>
      readPage(db, "steps", [{ column: "run", value: runId }], pagination, (doc) => doc as Step),
    insert(step) {
      const { changes } = db
        .sql("INSERT INTO steps (run, id, doc) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
        .run(step.runId, step.stepId, encode(step));
      return changes === 1;
    },
    update(step) {
      db.sql("UPDATE steps SET doc = ? WHERE run = ? AND id = ?").run(encode(step), step.runId, step.stepId);
    },
  };
}
