import { existsSync } from "node:fs";
import type { Damage } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { dailyFiles, holdsDailyLines } from "../../daily/daily-files.ts";
import { assertOursByHeader, openForReading } from "../database/connection.ts";
import { unlockJournalForReading } from "../journal/journal-table.ts";
import { inspectStore } from "./inspect-store.ts";
import { noDatabase, openSqliteReader } from "../open-sqlite-reader.ts";
import { finishRepair } from "./finish-repair.ts";
import { repairDamaged, type RepairDeps, type RepairReport } from "./repair.ts";
import { type StoreFiles, storeFiles } from "../database/store-files.ts";
import { StoreError } from "../store-error.ts";
import { defaultStoreLimits } from "../store-limits.ts";
import { acquireWriterLock } from "../database/writer-lock.ts";

export type RepairOutcome =
  | { readonly kind: "sound" }
  | { readonly kind: "repaired"; readonly report: RepairReport };

/**
 * Verifies the whole log and, if anything is damaged, rebuilds it from what the database and the daily files
 * prove. First copies the files to `damaged-<time>/`; the loss becomes an `error` event of "system".
 * Idempotent. Throws `home_in_use`, `no_database`, `database_too_new` or `foreign_database`.
 */
export async function repairSqliteStore(
  options: RepairDeps & {
    readonly directory: string;
    /** What to do about journal entries that no key opens: nothing, or `give_up` on them. */
    readonly journal?: "keep" | "give_up";
  },
): Promise<RepairOutcome> {
  const files = storeFiles(options.directory);
  if (!isStore(files)) throw noDatabase(options.directory);
  assertOursByHeader(files);
  const lock = acquireWriterLock(files);
  try {
    finishRepair(files);
    const { damage } = inspectStore(files, defaultStoreLimits);
    const found = damage.length > 0 ? damage : await verifyAll(options.directory);
    const locked = options.journal === "give_up" ? whyLocked(files) : undefined;
    if (found.length === 0 && locked === undefined) return { kind: "sound" };
    const all = locked === undefined ? found : [...found, locked];
    const journal = locked === undefined ? "keep" : "give_up";
    return { kind: "repaired", report: await repairDamaged(files, options, all, journal) };
  } finally {
    lock.release();
  }
}

/** True if there ever was a log here, even if it is damaged. */
export function isStore(files: StoreFiles): boolean {
  const { database, tail, repaired, directory } = files;
  return (
    [database, tail, repaired].some((path) => existsSync(path)) || holdsDailyLines(dailyFiles(directory))
  );
}

/** Why the journal cannot be opened with the present key; undefined if it can. */
function whyLocked(files: StoreFiles): Damage | undefined {
  let db: Database | undefined;
  try {
    db = openForReading(files.database);
    unlockJournalForReading(db, files);
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) return undefined;
    return { kind: "unreadable", message: `the journal: ${error.message}` };
  } finally {
    db?.close();
  }
}

async function verifyAll(directory: string): Promise<readonly Damage[]> {
  await using reader = openSqliteReader({ directory });
  return (await reader.verify()).damage;
}
