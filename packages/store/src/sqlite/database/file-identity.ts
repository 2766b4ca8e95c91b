import { statSync } from "node:fs";
import { EventLogError } from "@deputy/protocol";

/**
 * Checks that the files that SQLite has open are the ones that the next start will find. SQLite does not
 * notice when they are removed, replaced or cut: it would keep writing to a file that nobody reads again.
 */
export interface FileIdentity {
  /** Why nothing may be written now; undefined if all is well. Costs one `stat` per file. */
  trouble(): EventLogError | undefined;
  /** To be called after we ourselves have emptied the write-ahead log. */
  noteEmptied(): void;
}

export function createFileIdentity(database: string): FileIdentity {
  const wal = `${database}-wal`;
  const opened = statSync(database);
  let log = statSync(wal, { throwIfNoEntry: false });
  let [bytes, logBytes] = [opened.size, log?.size ?? 0];
  let cut: EventLogError | undefined;

  return {
    trouble() {
      const now = statSync(database, { throwIfNoEntry: false });
      if (now === undefined) return missing(database, "was removed or renamed");
      if (now.ino !== opened.ino || now.dev !== opened.dev)
        return missing(database, "was replaced by another file");
      const logNow = statSync(wal, { throwIfNoEntry: false });
      if (logNow === undefined && log !== undefined) return missing(wal, "was removed or renamed");
      if (log !== undefined && logNow?.ino !== log.ino) return missing(wal, "was replaced by another file");
      if (cut !== undefined) return cut;
      const shorter = now.size < bytes ? database : (logNow?.size ?? 0) < logBytes ? wal : undefined;
      if (shorter !== undefined) return (cut = cutShort(shorter));
      [bytes, logBytes, log] = [now.size, logNow?.size ?? 0, logNow];
      return undefined;
    },
    noteEmptied() {
      logBytes = 0;
    },
  };
}

function missing(path: string, what: string): EventLogError {
  return new EventLogError(
    "log_missing",
    `${path} ${what} while Deputy had it open. Nothing of this was written; what was acknowledged before is in the file that was there`,
    {
      hint: `Put that very file back (mv, not cp), and the log goes on by itself. If it is gone for good: stop Deputy, then \`deputy audit repair\` rebuilds what the daily files hold.`,
    },
  );
}

function cutShort(path: string): EventLogError {
  return new EventLogError("log_failed", `Another program cut ${path} short while Deputy had it open`, {
    hint: "`deputy audit repair` keeps what is sound and rebuilds the rest from the daily files.",
  });
}
