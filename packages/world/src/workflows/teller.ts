import type { Database } from "../sqlite/database.ts";
import type { WorkflowsOptions } from "./open-workflows.ts";
import type { TaskRow, TaskRows } from "./task-rows.ts";

/** Reports that tasks have ended, and repeats each report until it succeeds. */
export interface Teller {
  /** Whoever was not told yet, is; at once if somebody is being told already. */
  tellAll(): void;
  settled(): Promise<void>;
}

export function createTeller(deps: {
  readonly db: Database;
  readonly tasks: TaskRows;
  readonly onEnded: WorkflowsOptions["onEnded"];
  readonly onBug: (error: unknown) => void;
}): Teller {
  const { db, tasks } = deps;
  const telling = new Map<string, Promise<void>>();

  const tell = async (task: TaskRow): Promise<void> => {
    try {
      await deps.onEnded(task.id, { outcome: task.outcome ?? "failed", stop: task.stop });
      db.write("told", "relaxed", () => tasks.markTold(task.id));
    } catch (error) {
      // The report failed; the next opening repeats it.
      deps.onBug(error);
    }
  };
  return {
    tellAll() {
      for (const task of tasks.untold()) {
        if (telling.has(task.id)) continue;
        telling.set(
          task.id,
          tell(task).finally(() => telling.delete(task.id)),
        );
      }
    },
    async settled() {
      await Promise.all(telling.values());
    },
  };
}
