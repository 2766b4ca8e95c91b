import { type Damage, EventLogError } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { dailyFiles, holdsDailyLines } from "../../daily/daily-files.ts";
import { openForReading } from "../database/connection.ts";
import { createEventRows } from "../rows/event-rows.ts";
import { assertOurs, databaseBytes, schemaHolds } from "../database/schema.ts";
import { sizeOf, type StoreFiles } from "../database/store-files.ts";
import { StoreError } from "../store-error.ts";
import type { StoreLimits } from "../store-limits.ts";
import { createStreamRows } from "../rows/stream-rows.ts";
import { recentDamage, witnessDamage, readTailWitness, type WitnessReading } from "./tail-witness.ts";

export interface Inspection {
  readonly shutdown: "new" | "clean" | "unclean";
  readonly quickCheck: "ok" | "not_needed" | "skipped_for_size";
  readonly checkedEvents: number;
  /** Empty when the log may be written to. */
  readonly damage: readonly Damage[];
}

/**
 * Inspects a store before anything writes to it, and changes nothing. Throws `database_too_new` or
 * `foreign_database`; everything else that is wrong is in `damage`.
 */
export function inspectStore(files: StoreFiles, limits: StoreLimits): Inspection {
  const witness = readTailWitness(files.tail);
  if (sizeOf(files.database) === 0) return inspectNothing(files, witness);
  const shutdown = witness.kind === "found" && witness.record.shutdown === "clean" ? "clean" : "unclean";
  const found = { shutdown, quickCheck: "not_needed", checkedEvents: 0 } as const;
  let db: Database | undefined;
  try {
    db = openForReading(files.database);
    assertOurs(db, files.database);
    if (!schemaHolds(db)) return { ...found, damage: [unreadable("the tables are not what they should be")] };
    const rows = createEventRows(db);
    const recent = recentDamage({ rows, streamRows: createStreamRows(db) }, limits.tailEvents);
    const quickCheck = shutdown === "clean" ? "not_needed" : runQuickCheck(db, limits);
    return {
      shutdown,
      quickCheck: typeof quickCheck === "string" ? quickCheck : "ok",
      checkedEvents: recent.checked,
      damage: [
        ...witnessDamage(rows, witness),
        ...recent.damage,
        ...(typeof quickCheck === "string" ? [] : quickCheck),
      ],
    };
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    return { ...found, damage: [unreadable(reasonOf(cause))] };
  } finally {
    db?.close();
  }
}

function inspectNothing(files: StoreFiles, witness: WitnessReading): Inspection {
  const acknowledged = witness.kind === "found" ? witness.record.position : 0;
  const hasFiles = witness.kind !== "found" && holdsDailyLines(dailyFiles(files.directory));
  const known = hasFiles ? "the daily files hold events of it" : `${acknowledged} events were acknowledged`;
  const message = `${files.database} is missing or empty, and ${known}`;
  return {
    shutdown: "new",
    quickCheck: "not_needed",
    checkedEvents: 0,
    damage: acknowledged === 0 && !hasFiles ? [] : [{ kind: "tail_lost", message }],
  };
}

function runQuickCheck(db: Database, limits: StoreLimits): "ok" | "skipped_for_size" | readonly Damage[] {
  if (databaseBytes(db) > limits.quickCheckBytes) return "skipped_for_size";
  const findings = db
    .sql("PRAGMA quick_check(10)")
    .all()
    .map((row) => String(row["quick_check"]));
  return findings[0] === "ok" ? "ok" : findings.map(unreadable);
}

function unreadable(what: string): Damage {
  return { kind: "unreadable", message: `deputy.db: ${what}` };
}

function reasonOf(cause: unknown): string {
  if (cause instanceof EventLogError) return reasonOf(cause.cause ?? cause.message);
  return cause instanceof Error ? cause.message : String(cause);
}

/** Findings spelled out in a message; `deputy audit verify` lists the rest. */
const SPELLED_OUT = 3;

/** Says what was lost, what is safe, and what to do next. */
export function damagedError(files: StoreFiles, damage: readonly Damage[]): StoreError {
  const isGone = sizeOf(files.database) === 0;
  const safe = isGone
    ? "Nothing was changed; what the daily files hold is safe."
    : "Nothing was changed, and every event that verifies can still be read.";
  return new StoreError(
    "log_damaged",
    `The log in ${files.directory} is damaged: ${describeDamage(damage)}. ${safe}`,
    {
      hint: isGone
        ? "If you still have the file, put it back. Otherwise `deputy audit repair` rebuilds the log from the daily files and reports what it could not recover."
        : "`deputy audit verify` lists all of it; `deputy audit repair` keeps what is sound, takes the rest from the daily files, and puts the damaged files aside.",
    },
  );
}

export function describeDamage(damage: readonly Damage[]): string {
  const spelled = damage.slice(0, SPELLED_OUT).map((one) => one.message);
  const rest = damage.length - spelled.length;
  return spelled.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
