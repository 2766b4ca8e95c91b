import type { IdSource } from "@deputy/kit";
import { EVENT_SCHEMA_VERSION, isAudited, type StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { readDailyCursor, dailyFiles } from "../daily/daily-files.ts";
import { INSERT_EVENT } from "../sqlite/rows/event-rows.ts";
import { indexedEventNumber } from "../sqlite/database/schema.ts";
import type { StoreFiles } from "../sqlite/database/store-files.ts";
import { createStreamHeads } from "../sqlite/rows/stream-heads.ts";
import type { WitnessReading } from "../sqlite/soundness/tail-witness.ts";
import { createCandidateTable, PAYLOAD } from "./candidate-table.ts";
import { chooseEvents } from "./choose-events.ts";
import { readDailyEvents, type RefusedLine } from "./daily-events.ts";
import { readDamagedRows } from "./damaged-rows.ts";
import { eraseAgain, type Unexplained } from "./erase-again.ts";
import { type MissingEvents, standInForLost } from "./lost-events.ts";

/** The sources of a rebuilt log, and what is missing. */
export interface Rebuilt {
  readonly kept: number;
  /** How many of them only the daily files had. */
  readonly fromDaily: number;
  readonly lost: number;
  /** The last position that was ever in use; new events come after it, even if its event is lost. */
  readonly end: number;
  /** What is known to be missing: streams that have a gap, and streams whose end is gone. */
  readonly missing: readonly MissingEvents[];
  /** Events without a payload that no `event.erased` explains. */
  readonly unexplained: readonly Unexplained[];
  readonly refusedLines: readonly RefusedLine[];
  /** `apart`: the files have lines that the log does not have, or lack lines that they should have. */
  readonly dailyFiles: "fitting" | "apart";
}

/**
 * Fills an empty database with every event that the damaged one or the daily files prove, each once and at
 * its old position. What was erased in either stays erased. The candidates stay in a temporary table for
 * callers that continue with them.
 */
export async function rebuildLog(deps: {
  readonly target: Database;
  /** Undefined when there is nothing to read. */
  readonly damaged: Database | undefined;
  readonly files: StoreFiles;
  readonly witness: WitnessReading;
  readonly ids: IdSource;
}): Promise<Rebuilt> {
  const { target, damaged, files, witness } = deps;
  const table = createCandidateTable(target);
  const refusedLines: RefusedLine[] = [];
  const written = await writtenToDaily(files);
  // The files say how long the log was only if nothing else does.
  const acknowledged = witness.kind === "found" ? witness.record.position : written;

  target.exec("BEGIN");
  let isInOrder = true;
  for await (const { line, standing } of readDailyEvents(files.directory, (one) => refusedLines.push(one))) {
    if (standing === "contradicted") isInOrder = false;
    table.add(line, "daily", standing === "sound" ? "line" : "nobody");
  }
  const rows =
    damaged === undefined
      ? undefined
      : readDamagedRows(damaged, {
          claimed: Math.max(acknowledged, table.lastPosition),
          streamOf: table.streamOf,
        });
  for (const row of rows?.events() ?? []) table.add(row, "database", "nobody");
  const heads = [...(rows?.heads() ?? [])];
  for (const { hash } of heads) table.vouch(hash);
  if (witness.kind === "found") table.vouch(witness.record.hash);

  const streams = table.streams();
  for (const stream of streams)
    for (const chosen of chooseEvents(table.of(stream)).values()) table.choose(stream, chosen);
  const end = Math.max(acknowledged, rows?.lastPosition ?? 0, lastChosen(target));
  const gaps = standInForLost(target, { ids: deps.ids, streams, end });
  const unexplained = eraseAgain(target);
  const versions = new Map(heads.map(({ stream, schemaVersion }) => [stream, schemaVersion]));
  const rowsWritten = writeChosen(target, end, (stream) => versions.get(stream) ?? EVENT_SCHEMA_VERSION);
  target.exec("COMMIT");

  const kept = rowsWritten - gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const ends = heads.flatMap(({ stream, seq, headPosition }): MissingEvents[] => {
    const last = lastSeq(target, stream);
    // A number that was itself damaged proves nothing.
    return seq > last && seq <= end && headPosition <= end ? [{ stream, first: last + 1, last: seq }] : [];
  });
  return {
    kept,
    fromDaily: countOf(target, `NOT from_database AND payload_state != ${PAYLOAD.standIn}`),
    lost: Math.max(0, end - kept - (rows?.knownGaps ?? 0)),
    end,
    missing: [...gaps, ...ends],
    unexplained,
    refusedLines,
    dailyFiles: isInOrder && refusedLines.length === 0 && fitsFiles(target, written) ? "fitting" : "apart",
  };
}

function fitsFiles(db: Database, written: number): boolean {
  const unused = db.sql("SELECT 1 FROM candidates WHERE from_daily AND NOT chosen LIMIT 1");
  if (unused.get() !== undefined) return false;
  const absent = db.sql(`SELECT DISTINCT type FROM candidates
    WHERE chosen AND NOT from_daily AND position <= ? AND payload_state != ${PAYLOAD.standIn}`);
  return absent.all(written).every(({ type }) => !isAudited(String(type)));
}

/** How far the daily files are known to go. */
async function writtenToDaily(files: StoreFiles): Promise<number> {
  const reading = await readDailyCursor(dailyFiles(files.directory).cursor).catch(() => undefined);
  return reading?.kind === "found" ? reading.cursor.position : 0;
}

/** Writes the chosen events and their streams' heads, and records empty positions as gaps. */
function writeChosen(target: Database, end: number, schemaVersionOf: (stream: StreamId) => number): number {
  const heads = createStreamHeads(target, { cachedHeads: Infinity });
  const insert = target.sql(INSERT_EVENT);
  const insertGap = target.sql("INSERT INTO repaired_gaps VALUES (?, ?)");
  let written = 0;
  let free = 1;
  const closeGap = (next: number): void => {
    if (free < next) insertGap.run(free, next - 1);
    free = next + 1;
  };
  for (const row of target.iterate("SELECT * FROM candidates WHERE chosen ORDER BY position")) {
    const { seq = null, id = null, at = null, type = null, turn_id = null, prev = null } = row;
    const { payload_hash = null, salt = null, payload = null, position = null } = row;
    const stream = String(row["stream"]) as StreamId;
    const head = heads.of(stream);
    head.schemaVersion = schemaVersionOf(stream);
    heads.touch(head, Number(position));
    const landmark = indexedEventNumber(String(type));
    insert.run(position, head.rowId, seq, id, at, type, landmark, turn_id, payload_hash, prev, salt, payload);
    Object.assign(head, { seq: Number(seq), hash: String(row["hash"]), position: Number(position) });
    closeGap(Number(position));
    written += 1;
  }
  closeGap(end + 1);
  heads.save();
  return written;
}

function lastChosen(db: Database): number {
  const row = db.sql("SELECT max(position) AS last FROM candidates WHERE chosen").get();
  return Number(row?.["last"] ?? 0);
}

function lastSeq(db: Database, stream: StreamId): number {
  const row = db.sql("SELECT head_seq AS seq FROM streams WHERE stream = ?").get(stream);
  return Number(row?.["seq"] ?? 0);
}

function countOf(db: Database, condition: string): number {
  const row = db.sql(`SELECT count(*) AS count FROM candidates WHERE chosen AND ${condition}`).get();
  return Number(row?.["count"]);
}
