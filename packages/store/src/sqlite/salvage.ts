import type { DatabaseSync } from "node:sqlite";
import { EVENT_SCHEMA_VERSION, type StreamId } from "@deputy/protocol";
import { type ChainCheck, createChainCheck } from "../log/index.ts";
import type { EventRow } from "./decode-row.ts";
import { createEventRows, INSERT_EVENT } from "./event-rows.ts";
import { landmarkNumber } from "./schema.ts";
import { sha256 } from "./sha256.ts";
import { SNAPSHOT_PREFIX } from "./snapshot-table.ts";
import { createStreamHeads } from "./stream-heads.ts";
import { createStreamRows, type StreamRows } from "./stream-rows.ts";

export interface Salvaged {
  readonly kept: number;
  readonly lost: number;
  /** The last position that was in use; new events must come after it, kept or not. */
  readonly end: number;
  /** Events whose header is sound and whose payload is not: kept without it. */
  readonly withoutPayload: readonly EventRow[];
}

/**
 * Copies what is sound: of each stream every event up to the first that is missing, unreadable or
 * does not follow, at its old position. Positions left empty are written down as gaps.
 */
export function salvageEvents(damaged: DatabaseSync, target: DatabaseSync, acknowledged: number): Salvaged {
  const rows = createEventRows(damaged);
  const streamRows = createStreamRows(damaged);
  const heads = createStreamHeads(target, { cachedHeads: Infinity });
  const insert = target.prepare(INSERT_EVENT);
  const insertGap = target.prepare("INSERT INTO repaired_gaps VALUES (?, ?)");
  const chains = new Map<StreamId, ChainCheck | "cut">();
  const withoutPayload: EventRow[] = [];
  const end = Math.max(acknowledged, attempt(() => rows.lastPosition()) ?? 0);
  const knownGaps = attempt(() => gapPositions(damaged)) ?? 0;
  let kept = 0;
  let gapFrom = 1;

  const closeGap = (next: number): void => {
    if (gapFrom < next) insertGap.run(gapFrom, next - 1);
    gapFrom = next + 1;
  };
  const keep = (row: EventRow, chain: ChainCheck, payload: "sound" | "lost"): void => {
    const { event } = row;
    const head = heads.of(event.stream);
    head.schemaVersion = schemaVersionOf(streamRows, event.stream);
    heads.touch(head, row.position);
    const content = payload === "sound" ? [row.salt, row.payload] : [null, null];
    const { seq, id, at, type, turnId = null, payloadHash, prev } = event;
    const fields = [seq, id, at, type, landmarkNumber(type), turnId, payloadHash, prev];
    insert.run(row.position, head.rowId, ...fields, ...content);
    Object.assign(head, chain.point, { position: row.position });
    closeGap(row.position);
    kept += 1;
  };
  const take = (row: EventRow): void => {
    const { stream } = row.event;
    const chain = chains.get(stream) ?? createChainCheck(sha256, stream);
    if (chain === "cut") return;
    chains.set(stream, chain);
    const damage = chain.next(row);
    if (damage === undefined) keep(row, chain, "sound");
    else if (damage.kind === "payload") {
      keep(row, chain, "lost");
      withoutPayload.push(row);
    } else chains.set(stream, "cut");
  };

  target.exec("BEGIN");
  for (let position = 1; position <= end; position++) {
    const row = attempt(() => rows.at(position));
    if (row !== undefined) take(row);
  }
  closeGap(end + 1);
  heads.save();
  target.exec("COMMIT");
  return { kept, lost: end - kept - knownGaps, end, withoutPayload };
}

/** Copies the entries of every cell whose journal is whole; a partial one would make a cell repeat itself. */
export function salvageJournal(damaged: DatabaseSync, target: DatabaseSync): void {
  const at = damaged.prepare("SELECT * FROM journal WHERE entry = ?");
  const last = attempt(() =>
    Number(damaged.prepare("SELECT max(entry) AS last FROM journal").get()?.["last"]),
  );
  const insert = target.prepare("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)");
  target.exec("BEGIN");
  for (let entry = 1; entry <= (last ?? 0); entry++) {
    attempt(() => {
      const {
        cell_id: cell = null,
        ordinal = null,
        kind = null,
        nonce = null,
        sealed = null,
      } = at.get(entry) ?? {};
      if (cell !== null) insert.run(entry, cell, ordinal, kind, nonce, sealed);
    });
  }
  target.exec(`DELETE FROM journal WHERE cell_id IN
      (SELECT cell_id FROM journal GROUP BY cell_id HAVING max(ordinal) + 1 != count(*));
    COMMIT`);
  for (const { name = null, value = null } of attempt(() => damaged.prepare("SELECT * FROM facts").all()) ??
    []) {
    // They may hold events that were lost.
    if (String(name).startsWith(SNAPSHOT_PREFIX)) continue;
    target.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(name, value);
  }
}

/** Positions that an earlier repair left empty. */
export function gapPositions(db: DatabaseSync): number {
  const row = db.prepare("SELECT total(last - first + 1) AS positions FROM repaired_gaps").get();
  return Number(row?.["positions"]);
}

function schemaVersionOf(rows: StreamRows, stream: StreamId): number {
  return attempt(() => rows.stream(stream))?.schemaVersion ?? EVENT_SCHEMA_VERSION;
}

/** What cannot be read is not there. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
