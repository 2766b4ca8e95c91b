import type { ListWorkflowRunsParams, PaginatedResponse, WorkflowRun } from "@workflow/world";
import { type WorldDatabase, decode, encode } from "../sqlite/database.ts";
import { readPage } from "./page.ts";

export interface RunRow {
  readonly run: WorkflowRun;
  /** Milliseconds of the last event from outside: an answer to a hook, the end of a step. */
  readonly marker: number;
}

export interface RunRows {
  get(id: string): RunRow | undefined;
  list(params: ListWorkflowRunsParams): PaginatedResponse<WorkflowRun>;
  /** False if the id is already used. */
  insert(run: WorkflowRun): boolean;
  update(run: WorkflowRun): void;
  mark(id: string, ms: number): void;
}

export function createRunRows(db: WorldDatabase): RunRows {
  return {
    get(id) {
      const row = db.sql("SELECT marker, doc FROM runs WHERE id = ?").get(id);
      return row && { run: decode(row) as WorkflowRun, marker: Number(row["marker"]) };
    },
    list({ status, workflowName, pagination }) {
      const where = [
        { column: "status", value: status },
        { column: "workflow", value: workflowName },
      ];
      return readPage(db, "runs", where, pagination, (doc) => doc as WorkflowRun);
    },
    insert(run) {
      const { changes } = db
        .sql("INSERT INTO runs (id, status, workflow, doc) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        .run(run.runId, run.status, run.workflowName, encode(run));
      return changes === 1;
    },
    update(run) {
      db.sql("UPDATE runs SET status = ?, ended = ?, doc = ? WHERE id = ?").run(
        run.status,
        run.completedAt?.getTime() ?? null,
        encode(run),
        run.runId,
      );
    },
    mark: (id, ms) => void db.sql("UPDATE runs SET marker = ? WHERE id = ?").run(ms, id),
  };
}
