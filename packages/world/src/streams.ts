import type { Streamer } from "@workflow/world";
import type { WorldDatabase } from "./sqlite/database.ts";

const DEFAULT_PAGE = 100;
const MOST = 1_000;

/**
 * Streams of runs: chunks in the database. Readers in this process are notified of further chunks, without
 * polling.
 */
export function createStreams(db: WorldDatabase): Streamer {
  const readers = new Map<string, Set<() => void>>();

  const append = (
    name: string,
    run: string,
    chunks: readonly (string | Uint8Array)[],
    closes: 0 | 1,
  ): void => {
    db.write(closes === 1 ? "stream_closed" : "stream_written", "full", () => {
      const insert = db.sql("INSERT INTO chunks (stream, run, closes, data) VALUES (?, ?, ?, ?)");
      for (const chunk of chunks)
        insert.run(name, run, closes, typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      db.afterCommit(() => {
        for (const tell of readers.get(name) ?? []) tell();
      });
    });
  };
  const count = (name: string): number =>
    Number(db.sql("SELECT count(*) AS n FROM chunks WHERE stream = ? AND closes = 0").get(name)?.["n"]);
  const isDone = (name: string): boolean =>
    db.sql("SELECT 1 FROM chunks WHERE stream = ? AND closes = 1").get(name) !== undefined;

  /** Resolves with the next write to a stream. */
  const nextWrite = (name: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = readers.get(name) ?? new Set();
    const tell = (): void => {
      waiting.delete(tell);
      if (waiting.size === 0) readers.delete(name);
      resolve();
    };
    readers.set(name, waiting.add(tell));
    return promise;
  };

  return {
    streamFlushIntervalMs: 0,
    writeToStream: async (name, runId, chunk) => append(name, runId, [chunk], 0),
    writeToStreamMulti: async (name, runId, chunks) => append(name, runId, chunks, 0),
    closeStream: async (name, runId) => append(name, runId, [new Uint8Array()], 1),
    async readFromStream(name, startIndex = 0) {
      let skip = startIndex < 0 ? Math.max(0, count(name) + startIndex) : startIndex;
      let after = 0;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          for (;;) {
            const row = db
              .sql("SELECT seq, closes, data FROM chunks WHERE stream = ? AND seq > ? ORDER BY seq LIMIT 1")
              .get(name, after);
            if (row === undefined) {
              await nextWrite(name);
              continue;
            }
            after = Number(row["seq"]);
            if (row["closes"] === 1) {
              controller.close();
              return;
            }
            skip -= 1;
            if (skip >= 0) continue;
            controller.enqueue(row["data"] as Uint8Array);
            return;
          }
        },
      });
    },
    async listStreamsByRunId(runId) {
      const rows = db.sql("SELECT DISTINCT stream FROM chunks WHERE run = ? ORDER BY stream").all(runId);
      return rows.map((row) => String(row["stream"]));
    },
    async getStreamChunks(name, _runId, options = {}) {
      const limit = Math.min(options.limit ?? DEFAULT_PAGE, MOST);
      const first = Number(options.cursor ?? 0);
      const rows = db
        .sql("SELECT data FROM chunks WHERE stream = ? AND closes = 0 ORDER BY seq LIMIT ? OFFSET ?")
        .all(name, limit + 1, first);
      const hasMore = rows.length > limit;
      const data = rows
        .slice(0, limit)
        .map((row, n) => ({ index: first + n, data: row["data"] as Uint8Array }));
      return { data, cursor: hasMore ? String(first + limit) : null, hasMore, done: isDone(name) };
    },
    getStreamInfo: async (name) => ({ tailIndex: count(name) - 1, done: isDone(name) }),
  };
}
