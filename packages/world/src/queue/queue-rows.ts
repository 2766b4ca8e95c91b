import { type WorldDatabase, decode, encode } from "../sqlite/database.ts";

export type MessageKind = "workflow" | "step";

export interface NewMessage {
  readonly kind: MessageKind;
  readonly name: string;
  readonly run: string | undefined;
  /** A second message with the same key is ignored. */
  readonly key: string | undefined;
  /** Milliseconds since the epoch. */
  readonly ready: number;
  readonly body: unknown;
}

export interface Message {
  readonly id: number;
  readonly kind: MessageKind;
  readonly name: string;
  readonly run: string | undefined;
  /** Failed deliveries. A crash does not count. */
  readonly failures: number;
  readonly body: unknown;
}

/**
 * Messages that wait, and those that are being delivered. `ready` is when one may be delivered next: at its
 * time, or when the lease of its current delivery ends.
 */
export interface QueueRows {
  /** The id of the message, or of the one that has its key. */
  insert(message: NewMessage): number;
  /**
   * Ready and not leased, with at most one message per run's workflow, and none of a run whose workflow is at
   * work.
   */
  claimable(kind: MessageKind, now: number, limit: number): readonly Message[];
  /** Frees the key of a workflow's message, so that the next wake-up of the run causes a further delivery. */
  claim(message: Message, lease: string, until: number): void;
  /** False if another delivery has taken it over. */
  renew(id: number, lease: string, until: number): boolean;
  isLeased(id: number, lease: string): boolean;
  /** These do nothing if another delivery has taken it over. */
  remove(id: number, lease: string): void;
  release(id: number, lease: string, ready: number, failures: number): void;
  /** Messages of a run that are not being delivered now. */
  removeWaiting(run: string): void;
  /** Ends all leases: their holders are dead, or are treated as dead. */
  endLeases(now: number): void;
  /** When the earliest message that is not ready yet will be. */
  next(now: number): number | undefined;
}

export function createQueueRows(db: WorldDatabase): QueueRows {
  return {
    insert({ kind, name, run, key, ready, body }) {
      const held = key === undefined ? undefined : db.sql("SELECT id FROM queue WHERE key = ?").get(key);
      if (held !== undefined) return Number(held["id"]);
      const { lastInsertRowid } = db
        .sql("INSERT INTO queue (kind, name, run, key, ready, body) VALUES (?, ?, ?, ?, ?, ?)")
        .run(kind, name, run ?? null, key ?? null, ready, encode(body));
      return Number(lastInsertRowid);
    },
    claimable(kind, now, limit) {
      const rows = db
        .sql(
          `SELECT id, name, run, failures, body FROM queue AS message
           WHERE kind = ? AND ready <= ? AND NOT EXISTS (
             SELECT 1 FROM queue AS other WHERE message.kind = 'workflow' AND other.run = message.run
               AND other.kind = 'workflow' AND other.lease IS NOT NULL AND other.ready > ?
           ) ORDER BY ready, id LIMIT ?`,
        )
        .all(kind, now, now, limit);
      const runs = new Set<string>();
      return rows.flatMap((row): Message[] => {
        const run = row["run"] === null ? undefined : String(row["run"]);
        if (kind === "workflow" && run !== undefined && runs.size === runs.add(run).size) return [];
        return [
          {
            id: Number(row["id"]),
            kind,
            name: String(row["name"]),
            run,
            failures: Number(row["failures"]),
            body: decode(row, "body"),
          },
        ];
      });
    },
    claim({ id, kind }, lease, until) {
      const key = kind === "workflow" ? "NULL" : "key";
      db.sql(`UPDATE queue SET lease = ?, ready = ?, key = ${key} WHERE id = ?`).run(lease, until, id);
    },
    renew: (id, lease, until) =>
      db.sql("UPDATE queue SET ready = ? WHERE id = ? AND lease = ?").run(until, id, lease).changes === 1,
    isLeased: (id, lease) =>
      db.sql("SELECT 1 FROM queue WHERE id = ? AND lease = ?").get(id, lease) !== undefined,
    remove: (id, lease) => void db.sql("DELETE FROM queue WHERE id = ? AND lease = ?").run(id, lease),
    release(id, lease, ready, failures) {
      db.sql("UPDATE queue SET lease = NULL, ready = ?, failures = ? WHERE id = ? AND lease = ?").run(
        ready,
        failures,
        id,
        lease,
      );
    },
    removeWaiting: (run) => void db.sql("DELETE FROM queue WHERE run = ? AND lease IS NULL").run(run),
    endLeases: (now) =>
      void db.sql("UPDATE queue SET lease = NULL, ready = ? WHERE lease IS NOT NULL").run(now),
    next(now) {
      const first = db.sql("SELECT min(ready) AS first FROM queue WHERE kind = ? AND ready > ?");
      const times = (["workflow", "step"] satisfies MessageKind[])
        .map((kind) => first.get(kind, now)?.["first"])
        .filter((time) => typeof time === "number");
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}
