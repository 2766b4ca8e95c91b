import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase, sqliteFailureOf } from "@deputy/sqlite";
import { WorkspaceError } from "../workspace-error.ts";

const PATIENCE_MS = 30_000;
const PAUSE_MS = 20;

/**
 * Holds a file's lock until it is disposed; the system releases it when the process dies, in whatever way.
 * Throws `workspace_busy` if another process holds it for too long.
 */
export async function lockFile(file: string, signal: AbortSignal): Promise<AsyncDisposable> {
  const db = openDatabase(file);
  try {
    for (
      const until = performance.now() + PATIENCE_MS;
      !tryLock(db);
      await sleep(PAUSE_MS, undefined, { signal })
    )
      if (performance.now() > until)
        throw new WorkspaceError("workspace_busy", "Another program is busy with the workspace", {
          hint: "Wait for it to end, then try again.",
        });
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

function tryLock(db: Database): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (sqliteFailureOf(error) === "busy") return false;
    throw error;
  }
}
