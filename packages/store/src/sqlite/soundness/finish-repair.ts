import { existsSync, renameSync, rmSync } from "node:fs";
import { headerHash } from "@deputy/protocol";
import { openDatabase } from "@deputy/sqlite";
import { SIDE_FILES } from "../database/connection.ts";
import { createEventRows } from "../rows/event-rows.ts";
import { sha256 } from "../sha256.ts";
import { type StoreFiles, syncPath } from "../database/store-files.ts";
import { NOTHING_ACKNOWLEDGED, openTailWitness } from "./tail-witness.ts";

/**
 * Puts a repaired database in the place of the damaged one. Idempotent: if the process dies in between, the
 * repaired file stays, and the next opening continues from there.
 */
export function finishRepair(files: StoreFiles): void {
  if (!existsSync(files.repaired)) return;
  for (const side of SIDE_FILES) rmSync(files.database + side, { force: true });
  const witness = openTailWitness(files.tail);
  try {
    const tail = lastEvent(files.repaired);
    // Both slots, because the older one still names events that are gone.
    witness.record({ ...tail, shutdown: "running" });
    witness.record({ ...tail, shutdown: "running" });
    witness.sync();
  } finally {
    witness.close();
  }
  renameSync(files.repaired, files.database);
  syncPath(files.directory);
}

function lastEvent(path: string): { position: number; eventId: string; hash: string } {
  const db = openDatabase(path, { mode: "immutable" });
  try {
    const [last] = createEventRows(db).last(1);
    if (last === undefined) return NOTHING_ACKNOWLEDGED;
    return { position: last.position, eventId: last.event.id, hash: headerHash(sha256, last.event) };
  } finally {
    db.close();
  }
}
