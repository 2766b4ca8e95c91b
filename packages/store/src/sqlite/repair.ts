import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Clock, IdSource } from "@deputy/kit";
import { type Damage, headerHash, type NewEvent, type StreamId } from "@deputy/protocol";
import { draftEvent } from "../log/index.ts";
import { buildDatabase, openForReading, openImmutable, SIDE_FILES } from "./connection.ts";
import { describeDamage } from "./damaged-error.ts";
import { createEventRows } from "./event-rows.ts";
import { createEventWriter } from "./event-writer.ts";
import { type Salvaged, salvageEvents, salvageJournal } from "./salvage.ts";
import { sha256 } from "./sha256.ts";
import { type StoreFiles, syncPath } from "./store-files.ts";
import { NOTHING_ACKNOWLEDGED, openTailWitness, readTailWitness } from "./tail-witness.ts";

export interface RepairReport {
  readonly keptEvents: number;
  readonly lostEvents: number;
  readonly lostPayloads: number;
  /** The directory that holds the files as they were. */
  readonly aside: string;
  readonly damage: readonly Damage[];
}

/** Under the writer's lock: keeps what is sound, puts the rest aside, and records the loss in the log itself. */
export function repairDamaged(
  files: StoreFiles,
  deps: { readonly clock: Clock; readonly ids: IdSource },
  damage: readonly Damage[],
): RepairReport {
  const aside = putAside(files, deps.clock);
  const witness = readTailWitness(files.tail);
  const acknowledged = witness.kind === "found" ? witness.record.position : 0;
  const rebuilt = { salvaged: nothing(acknowledged) };
  buildDatabase(files, (target) => {
    rebuilt.salvaged = salvage(files, target, acknowledged);
    recordLoss(target, deps, rebuilt.salvaged, { aside, damage });
  });
  renameSync(files.draft, files.repaired);
  syncPath(files.directory);
  finishRepair(files);
  const { kept, lost, withoutPayload } = rebuilt.salvaged;
  return { keptEvents: kept, lostEvents: lost, lostPayloads: withoutPayload.length, aside, damage };
}

/**
 * Puts a repaired database in the place of the damaged one. Idempotent: a process that dies in
 * between leaves the repaired file where it is, and the next opening goes on from there.
 */
export function finishRepair(files: StoreFiles): void {
  if (!existsSync(files.repaired)) return;
  for (const side of SIDE_FILES) rmSync(files.database + side, { force: true });
  const witness = openTailWitness(files.tail);
  try {
    const tail = lastEvent(files.repaired);
    // Both slots: the older one still speaks of events that are gone.
    witness.record({ ...tail, shutdown: "running" });
    witness.record({ ...tail, shutdown: "running" });
    witness.sync();
  } finally {
    witness.close();
  }
  renameSync(files.repaired, files.database);
  syncPath(files.directory);
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

function salvage(files: StoreFiles, target: DatabaseSync, acknowledged: number): Salvaged {
  let damaged: DatabaseSync | undefined;
  try {
    damaged = openForReading(files.database);
    const salvaged = salvageEvents(damaged, target, acknowledged);
    salvageJournal(damaged, target);
    return salvaged;
  } catch {
    // Not even its tables can be read: nothing is left of it but the copy that was put aside.
    if (acknowledged > 0) target.prepare("INSERT INTO repaired_gaps VALUES (1, ?)").run(acknowledged);
    return nothing(acknowledged);
  } finally {
    damaged?.close();
  }
}

function nothing(acknowledged: number): Salvaged {
  return { kept: 0, lost: acknowledged, end: acknowledged, withoutPayload: [] };
}

function recordLoss(
  target: DatabaseSync,
  deps: { readonly clock: Clock; readonly ids: IdSource },
  salvaged: Salvaged,
  what: { readonly aside: string; readonly damage: readonly Damage[] },
): void {
  const { kept, lost, end, withoutPayload } = salvaged;
  const writer = createEventWriter({
    ...deps,
    db: target,
    limits: { cachedHeads: Infinity },
    tail: { ...NOTHING_ACKNOWLEDGED, position: end },
  });
  const append = (stream: StreamId, event: NewEvent): void =>
    void writer.append({ stream, drafts: [draftEvent(event)], expectedSeq: undefined });

  target.exec("BEGIN");
  for (const { event } of withoutPayload) {
    const { id: eventId, seq, payloadHash } = event;
    const data = { eventId, seq, payloadHash, by: "deputy audit repair", reason: "The payload was damaged" };
    append(event.stream, { type: "event.erased", data });
  }
  const message =
    `The log was damaged: ${describeDamage(what.damage)}. ${kept} events were kept, ${lost} were lost, ` +
    `and ${withoutPayload.length} lost their payload. The files as they were are in ${what.aside}.`;
  append("system", { type: "error", data: { code: "log_damaged", message } });
  writer.finish();
  target.exec("COMMIT");
}

function lastEvent(path: string): { position: number; eventId: string; hash: string } {
  const db = openImmutable(path);
  try {
    const [last] = createEventRows(db).last(1);
    if (last === undefined) return NOTHING_ACKNOWLEDGED;
    return { position: last.position, eventId: last.event.id, hash: headerHash(sha256, last.event) };
  } finally {
    db.close();
  }
}
