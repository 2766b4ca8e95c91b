import type { StoredEvent } from "@deputy/protocol";
import type { Database, SqlValue } from "@deputy/sqlite";
import type { SealedEvent } from "../../log/index.ts";
import type { CommitQueue } from "../database/commit-queue.ts";
import type { EventWriter } from "../rows/event-writer.ts";
import { indexedEventNumber } from "../database/schema.ts";
import { StoreError } from "../store-error.ts";

/** Takes a stream in from elsewhere. */
export interface ImportTarget {
  beginImport(): StagedImport;
}

/** Events wait in a temporary table, on disk and invisible, until all of them are known to be sound. */
export interface StagedImport {
  /** Throws `home_unusable` when there is no room. */
  add(sealed: SealedEvent): void;
  /** Makes everything added a stream of the log, at once. Rejects with `stream_exists`, and as `append` does. */
  commit(whole: {
    readonly schemaVersion: number;
    readonly last: StoredEvent;
    readonly hash: string;
  }): Promise<void>;
  /** Forgets what is staged. To be called at the end, also after `commit`. Idempotent. */
  discard(): void;
}

const COLUMNS = "seq, id, at, type, landmark, turn_id, payload_hash, prev, salt, payload";

export function createImportTarget(deps: {
  readonly db: Database;
  readonly queue: CommitQueue;
  readonly writer: EventWriter;
}): ImportTarget {
  const { db, queue, writer } = deps;
  let imports = 0;

  return {
    beginImport() {
      imports += 1;
      const table = `temp.import_${imports}`;
      db.exec(
        `CREATE TABLE ${table} (seq INTEGER PRIMARY KEY, id, at, type, landmark, turn_id, payload_hash, prev, salt, payload)`,
      );
      const insert = db.sql(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
      const copy = (streamRowId: number, position: number): void => {
        db.sql(
          `INSERT INTO events (position, stream_id, ${COLUMNS}) SELECT ? + seq, ?, ${COLUMNS} FROM ${table}`,
        ).run(position, streamRowId);
      };
      return {
        add(sealed) {
          try {
            insert.run(...stagedRow(sealed));
          } catch (cause) {
            throw new StoreError("home_unusable", "There is no room to take the import in", { cause });
          }
        },
        commit: (whole) => queue.submit("full", () => writer.adopt({ ...whole, copy })),
        discard() {
          if (db.isOpen) db.exec(`DROP TABLE IF EXISTS ${table}`);
        },
      };
    },
  };
}

function stagedRow({ event, salt, payload }: SealedEvent): SqlValue[] {
  const { seq, id, at, type, turnId = null, payloadHash, prev } = event;
  return [seq, id, at, type, indexedEventNumber(type), turnId, payloadHash, prev, salt, payload];
}
