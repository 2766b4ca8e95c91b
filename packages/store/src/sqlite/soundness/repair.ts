import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Clock, IdSource, TurnId } from "@deputy/kit";
import {
  type Damage,
  type EventData,
  type NewEvent,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { dailyFiles, putDailyAside } from "../../daily/daily-files.ts";
import { draftEvent } from "../../log/index.ts";
import { attempt } from "../../recovery/damaged-rows.ts";
import { type BrokenTurn, findBrokenTurns } from "../../recovery/end-open-turns.ts";
import type { RefusedLine } from "../../recovery/daily-events.ts";
import type { MissingEvents } from "../../recovery/lost-events.ts";
import { rebuildLog, type Rebuilt } from "../../recovery/rebuild-log.ts";
import { buildDatabase, openForReading } from "../database/connection.ts";
import { describeDamage } from "./inspect-store.ts";
import { finishRepair } from "./finish-repair.ts";
import { createEventWriter } from "../rows/event-writer.ts";
import { type StoreFiles, syncPath } from "../database/store-files.ts";
import { BEFORE_FIRST, createStreamRows } from "../rows/stream-rows.ts";
import { NOTHING_ACKNOWLEDGED, readTailWitness } from "./tail-witness.ts";
import { databaseBytes } from "../database/schema.ts";
import { SNAPSHOT_PREFIX } from "../rows/snapshot-table.ts";

export interface RepairReport {
  readonly keptEvents: number;
  /** How many of them only the daily files had. */
  readonly fromDaily: number;
  readonly lostEvents: number;
  /**
   * The lost events as far as they are known, each range from `first` to `last`. Of the others not even the
   * stream is known.
   */
  readonly missing: readonly MissingEvents[];
  readonly lostPayloads: number;
  /** Daily lines that prove nothing and were not used. */
  readonly refusedLines: readonly RefusedLine[];
  /** Running turns that the repair ended, because it is no longer known what they had done. */
  readonly endedTurns: readonly BrokenTurn[];
  /** The directory that holds the files as they were. */
  readonly aside: string;
  /** Where daily files that did not match the log were put; the next start writes new ones. */
  readonly dailyAside?: string;
  readonly damage: readonly Damage[];
}

/**
 * The events that end what a turn has begun; they come before its `turn.failed`. The part that runs turns
 * provides this.
 */
export type CloseTurn = (
  turnId: TurnId,
  events: readonly StoredEvent[],
  error: TurnFailure,
) => readonly NewEvent[];
type TurnFailure = EventData<"turn.failed">;

export interface RepairDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly closeTurn?: CloseTurn;
}

/**
 * Holding the writer's lock: rebuilds the log from what the database and the daily files prove, puts the
 * damaged files aside, and records the loss in the log itself.
 */
export async function repairDamaged(
  files: StoreFiles,
  deps: RepairDeps,
  damage: readonly Damage[],
  journal: "keep" | "give_up" = "keep",
): Promise<RepairReport> {
  const aside = putAside(files, deps.clock);
  const report = await buildDatabase(files, async (target) => {
    const { endedTurns, ...rebuilt } = await rebuild(files, target, deps.ids, journal);
    recordLoss(target, deps, rebuilt, { aside, damage, endedTurns });
    return {
      keptEvents: rebuilt.kept,
      fromDaily: rebuilt.fromDaily,
      lostEvents: rebuilt.lost,
      missing: rebuilt.missing,
      lostPayloads: lostPayloads(rebuilt),
      refusedLines: rebuilt.refusedLines,
      endedTurns,
      aside,
      damage,
      fits: rebuilt.dailyFiles === "fitting",
    };
  });
  renameSync(files.draft, files.repaired);
  syncPath(files.directory);
  // The next opening creates a new one.
  if (journal === "give_up" && existsSync(files.key)) renameSync(files.key, join(aside, "key"));
  finishRepair(files);
  const { fits, ...told } = report;
  if (fits) return told;
  return { ...told, dailyAside: putDailyAside(dailyFiles(files.directory), deps.clock.now()) };
}

function putAside(files: StoreFiles, clock: Clock): string {
  const stamp = new Date(clock.now()).toISOString().replaceAll(":", "-");
  const wanted = join(files.directory, `damaged-${stamp}`);
  let aside = wanted;
  for (let n = 2; existsSync(aside); n++) aside = `${wanted}-${n}`;
  mkdirSync(aside, { mode: 0o700 });
  for (const name of ["deputy.db", "deputy.db-wal", "deputy.tail"]) {
    const from = join(files.directory, name);
    if (!existsSync(from)) continue;
    copyFileSync(from, join(aside, name));
    syncPath(join(aside, name));
  }
  syncPath(aside);
  return aside;
}

async function rebuild(
  files: StoreFiles,
  target: Database,
  ids: IdSource,
  journal: "keep" | "give_up",
): Promise<Rebuilt & Pick<RepairReport, "endedTurns">> {
  const witness = readTailWitness(files.tail);
  // A database that cannot be opened is only copied aside.
  const damaged = attempt(() => openForReading(files.database));
  try {
    const rebuilt = await rebuildLog({ target, damaged, files, witness, ids });
    if (damaged !== undefined && journal === "keep") copyJournal(damaged, target);
    const accountedFor = rebuilt.missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    const isWhole =
      damaged !== undefined &&
      journal === "keep" &&
      witness.kind === "found" &&
      rebuilt.lost <= accountedFor &&
      attempt(() => damaged.sql("PRAGMA quick_check(1)").get()?.["quick_check"]) === "ok";
    return { ...rebuilt, endedTurns: findBrokenTurns(target, isWhole ? "whole" : "doubtful") };
  } finally {
    damaged?.close();
  }
}

function lostPayloads({ unexplained }: Rebuilt): number {
  const damaged = unexplained.filter(({ why }) => why === "damaged").flatMap(({ ranges }) => ranges);
  return damaged.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

const REASONS = {
  lost: "The log was damaged, and the event is lost",
  damaged: "The payload was damaged",
  erased: "The log was damaged, and the record of this erasure is lost",
} as const;

const INTERRUPTED = {
  code: "log_damaged",
  message:
    "The log was damaged and repaired while this was under way, and what it had done is no longer known. " +
    "Nothing of it is repeated: check whether it took effect, then ask again.",
};

function recordLoss(
  target: Database,
  deps: RepairDeps,
  rebuilt: Rebuilt,
  what: Pick<RepairReport, "aside" | "damage" | "endedTurns">,
): void {
  const writer = createEventWriter({
    ...deps,
    db: target,
    limits: { cachedHeads: Infinity },
    tail: { ...NOTHING_ACKNOWLEDGED, position: rebuilt.end },
  });
  const append = (stream: StreamId, event: NewEvent): void =>
    void writer.append({ stream, drafts: [draftEvent(event)], expectedSeq: undefined });

  target.exec("BEGIN");
  for (const { stream, eventId, payloadHash, ranges, why } of rebuilt.unexplained) {
    const [[seq, last] = [0, 0], ...more] = ranges;
    const all =
      more.length === 0 && seq === last
        ? undefined
        : { ranges: ranges.map(([a, b]): [number, number] => [a, b]) };
    const data = { eventId, seq, ...all, payloadHash, by: "deputy audit repair", reason: REASONS[why] };
    append(stream, { type: "event.erased", data });
  }
  const streamRows = createStreamRows(target);
  for (const { stream, turnId } of what.endedTurns) {
    const row = streamRows.stream(stream);
    const rows = row === undefined ? [] : streamRows.follow(row, BEFORE_FIRST, Number.MAX_SAFE_INTEGER);
    const events = rows.map(({ event }) => event);
    for (const event of deps.closeTurn?.(turnId, events, INTERRUPTED) ?? []) append(stream, event);
    append(stream, { type: "turn.failed", turnId, data: INTERRUPTED });
  }
  const { kept, fromDaily, lost, missing } = rebuilt;
  const fromFiles = fromDaily === 0 ? "" : ` (${fromDaily} of them from the daily files)`;
  const named = missing.length === 0 ? "" : ` (${describeMissing(missing)})`;
  const message =
    `The log was damaged: ${describeDamage(what.damage)}. ${kept} events were kept${fromFiles}, ${lost} were lost${named}, ` +
    `and ${lostPayloads(rebuilt)} lost their payload. The files as they were are in ${what.aside}.`;
  append("system", { type: "error", data: { code: "log_damaged", message } });
  writer.finish();
  target.exec("COMMIT");
}

/** Ranges spelled out in the event that records the loss; the report has all of them. */
const SPELLED_OUT = 5;

function describeMissing(missing: readonly MissingEvents[]): string {
  const spelled = missing
    .slice(0, SPELLED_OUT)
    .map(({ stream, first, last }) => `${stream}: ${first === last ? first : `${first} to ${last}`}`);
  const rest = missing.length - spelled.length;
  return spelled.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** The smallest size of an entry. */
const LEAST_ENTRY_BYTES = 50;

/**
 * Copies the entries of every cell whose journal is complete; with an incomplete one a cell would repeat
 * itself.
 */
function copyJournal(damaged: Database, target: Database): void {
  const at = attempt(() => damaged.sql("SELECT * FROM journal WHERE entry = ?"));
  const stated = attempt(() => Number(damaged.sql("SELECT max(entry) AS last FROM journal").get()?.["last"]));
  const possible = (attempt(() => databaseBytes(damaged)) ?? 0) / LEAST_ENTRY_BYTES;
  const last = Math.min(stated ?? 0, possible);
  const insert = target.sql("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)");
  target.exec("BEGIN");
  for (let entry = 1; entry <= last; entry++) {
    attempt(() => {
      const found = at?.get(entry) ?? {};
      const { cell_id: cell = null, ordinal = null, kind = null, nonce = null, sealed = null } = found;
      if (cell !== null) insert.run(entry, cell, ordinal, kind, nonce, sealed);
    });
  }
  target.exec(`DELETE FROM journal WHERE cell_id IN
      (SELECT cell_id FROM journal GROUP BY cell_id HAVING max(ordinal) + 1 != count(*));
    COMMIT`);
  const facts = attempt(() => damaged.sql("SELECT * FROM facts").all()) ?? [];
  for (const { name = null, value = null } of facts) {
    // Snapshots of views may hold events that were lost.
    if (String(name).startsWith(SNAPSHOT_PREFIX)) continue;
    attempt(() => target.sql("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(name, value));
  }
}
