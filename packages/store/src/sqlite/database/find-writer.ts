import { existsSync } from "node:fs";
import { type Database, openDatabase, sqliteFailureOf } from "@deputy/sqlite";
import { storeFiles } from "./store-files.ts";

/**
 * The process that holds a home's writer lock now; undefined if none does or it cannot be determined. Never
 * throws.
 */
export function findWriter({
  directory,
}: {
  readonly directory: string;
}): { readonly pid: number } | undefined {
  const { lock } = storeFiles(directory);
  if (!existsSync(lock)) return undefined;
  try {
    using db = openDatabase(lock);
    if (!isHeld(db)) return undefined;
    const pid = db.sql("SELECT pid FROM holder").get()?.["pid"];
    return typeof pid === "number" ? { pid } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The id stays after its process ended, the transaction does not. A writer that starts just now waits until
 * this attempt is over.
 */
function isHeld(db: Database): boolean {
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    if (sqliteFailureOf(error) === "busy") return true;
    throw error;
  }
}
