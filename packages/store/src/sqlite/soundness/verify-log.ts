import { setImmediate } from "node:timers/promises";
import { type Damage, EventLogError, type StreamId, type VerifyReport } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { createStreamAudit, PAGE_ITEMS, type StreamAudit } from "../../log/index.ts";
import type { StreamRow } from "../rows/event-rows.ts";
import { type CursorSource, placeOf } from "../rows/event-cursors.ts";
import { gapPositions } from "../../recovery/damaged-rows.ts";
import { databaseBytes, indexedEventCase } from "../database/schema.ts";
import { sha256 } from "../sha256.ts";
import { BEFORE_FIRST } from "../rows/stream-rows.ts";
import { witnessDamage, readTailWitness } from "./tail-witness.ts";

/** Findings listed in one report; a broken disk can produce any number. */
const MAX_FINDINGS = 1000;

export interface VerifySource extends CursorSource {
  readonly db: Database;
  readonly tailPath: string;
  readonly integrityCheckBytes: number;
}

export interface VerifyOptions {
  readonly stream?: StreamId;
  /** Called after each page with the number of events verified so far. */
  readonly onProgress?: (events: number) => void;
}

/** Recomputes everything, one page at a time so that other work can run. Throws only `log_closed`. */
export async function verifyLog(source: VerifySource, options: VerifyOptions): Promise<VerifyReport> {
  const { stream: only, onProgress = () => undefined } = options;
  const damage: Damage[] = [];
  const totals = { events: 0, streams: 0, erased: 0 };
  const note = (...found: readonly Damage[]): void => {
    damage.push(...found.slice(0, MAX_FINDINGS - damage.length));
  };

  const auditStream = async (row: StreamRow, audit: StreamAudit): Promise<void> => {
    for (let place = BEFORE_FIRST; ;) {
      const { page, head } = source.snapshot(() => {
        const now = source.streamRows.stream(row.stream) ?? row;
        return { page: source.streamRows.follow(now, place, PAGE_ITEMS), head: now };
      });
      place = placeOf(page.at(-1)) ?? place;
      for (const sealed of page) note(...optional(audit.next(sealed)));
      onProgress(totals.events + audit.events);
      if (page.length < PAGE_ITEMS) return note(...audit.end(head));
      await setImmediate();
    }
  };
  const audit = async (row: StreamRow): Promise<void> => {
    const one = createStreamAudit(sha256, row.stream);
    await reporting(note, row.stream, () => auditStream(row, one));
    totals.streams += 1;
    totals.events += one.events;
    totals.erased += one.erased;
  };

  await reporting(note, only, async () => {
    if (only !== undefined) {
      const row = source.snapshot(() => source.streamRows.stream(only));
      if (row !== undefined) await audit(row);
      return;
    }
    // Read before the database, which may only grow meanwhile and must hold at least this.
    const witness = readTailWitness(source.tailPath);
    note(...source.snapshot(() => witnessDamage(source.rows, witness)));
    note(...source.snapshot(() => tableDamage(source)));
    for (
      let page = nextStreams(source, 0);
      page.length > 0;
      page = nextStreams(source, page.at(-1)?.rowId ?? 0)
    ) {
      for (const row of page) await audit(row);
    }
  });
  return { ...totals, damage };
}

function nextStreams(source: CursorSource, after: number): readonly StreamRow[] {
  return source.snapshot(() => source.streamRows.streamsAfter(after, PAGE_ITEMS));
}

/** If the index lacks a grant's end, the grant would stay in force. */
const MISFILED = `SELECT count(*) AS count FROM events WHERE landmark IS NOT (${indexedEventCase("type")})`;

/** Checks that need the tables as a whole. */
function tableDamage({ db, integrityCheckBytes }: VerifySource): readonly Damage[] {
  const found: Damage[] = [];
  const row = db.sql("SELECT count(*) AS count, max(position) AS last FROM events").get();
  const count = Number(row?.["count"]);
  const missing = Number(row?.["last"] ?? 0) - count - gapPositions(db);
  if (missing !== 0) found.push({ kind: "gap", message: `${missing} positions of the log hold no event` });
  const claimed = Number(db.sql("SELECT total(head_seq) AS events FROM streams").get()?.["events"]);
  if (claimed !== count)
    found.push({ kind: "head", message: `the streams speak of ${claimed} events, and there are ${count}` });
  const misfiled = Number(db.sql(MISFILED).get()?.["count"]);
  if (misfiled !== 0)
    found.push({ kind: "head", message: `${misfiled} events are indexed under the wrong type` });
  if (databaseBytes(db) > integrityCheckBytes) return found;
  for (const one of db.sql("PRAGMA integrity_check(100)").all()) {
    const finding = String(one["integrity_check"]);
    if (finding !== "ok") found.push({ kind: "unreadable", message: `deputy.db: ${finding}` });
  }
  return found;
}

/** Turns an unreadable part into a finding. */
async function reporting(
  note: (...found: readonly Damage[]) => void,
  stream: StreamId | undefined,
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (error instanceof EventLogError && error.code === "log_closed") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = stream === undefined ? `deputy.db: ${reason}` : `${stream}: ${reason}`;
    note({ kind: "unreadable", ...(stream === undefined ? undefined : { stream }), message });
  }
}

function optional(damage: Damage | undefined): readonly Damage[] {
  return damage === undefined ? [] : [damage];
}
