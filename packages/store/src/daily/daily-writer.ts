import type { Clock } from "@deputy/kit";
import { EventLogError } from "@deputy/protocol";
import { PAGE_ITEMS, type PlacedEvents } from "../log/index.ts";
import { dailyFiles, putDailyAside } from "./daily-files.ts";
import { openDailyProjection } from "./daily-projection.ts";
import { existsSync } from "node:fs";

/** Writes the daily files from the log, a little behind it: an append never waits for them. */
export interface DailyWriter extends AsyncDisposable {
  /** Writes what is left, for at most `drainMs`; the next start continues where it stopped. Idempotent. */
  close(): Promise<void>;
}

export interface DailyLimits {
  /** Lines after which the files are synced and the cursor is saved. */
  readonly syncLines: number;
  /** The same by time, counted from the first line. */
  readonly syncMs: number;
  /** So long it waits for more before it reads what is new; 0: not at all. */
  readonly gatherMs: number;
  /** Bytes handed to the system at a time. */
  readonly writeBytes: number;
  /** Wait before trying again after the system refused. */
  readonly retryMs: number;
  readonly drainMs: number;
}

export const defaultDailyLimits: DailyLimits = {
  syncLines: 1024,
  syncMs: 1_000,
  gatherMs: 100,
  writeBytes: 1024 * 1024,
  retryMs: 30_000,
  drainMs: 3_000,
};

/**
 * One per home, beside the one writer of its log. `warn` gets what the user should know: files that the
 * system refuses to write (Deputy tries again), and files that do not match the log (Deputy renames them and
 * writes new ones).
 */
export function openDailyWriter(deps: {
  readonly home: string;
  readonly events: PlacedEvents;
  readonly clock: Clock;
  readonly warn: (text: string) => void;
  readonly limits?: Partial<DailyLimits>;
}): DailyWriter {
  const { clock, events, warn } = deps;
  const limits = { ...defaultDailyLimits, ...deps.limits };
  const files = dailyFiles(deps.home);
  const { bell, leave } = events.joinCommits();
  const closing = new AbortController();
  const stop = new AbortController();

  /** Waits for new events, at most for so long. Without a reason, each wait would end with a new error and its stack. */
  const wait = async (ms: number): Promise<void> => {
    const timer = new AbortController();
    if (ms < Infinity) {
      clock.sleep(ms, timer.signal).then(
        () => timer.abort("over"),
        () => undefined,
      );
    }
    await bell.wait(timer.signal);
    timer.abort("over");
  };

  const follow = async (): Promise<void> => {
    await using projection = await openDailyProjection({ files, events, clock, limits, warn });
    const cursor = events.after(projection.position);
    while (!stop.signal.aborted) {
      const page = cursor.page(PAGE_ITEMS);
      if (page.length > 0) await projection.take(page);
      if (projection.dueMs() <= 0) await projection.save();
      if (page.length > 0) continue;
      if (closing.signal.aborted) break;
      await wait(projection.dueMs());
      // Events come in quick succession: those of a moment are read and written together.
      if (limits.gatherMs > 0) await clock.sleep(limits.gatherMs, closing.signal).catch(() => undefined);
    }
    await projection.save();
  };

  const run = async (): Promise<void> => {
    for (let warned = ""; !stop.signal.aborted;) {
      try {
        await follow();
        return;
      } catch (error) {
        if (error instanceof EventLogError && error.code === "log_closed") return;
        const what = error instanceof Error ? error.message : String(error);
        if (what !== warned)
          warn(`The daily files cannot be written: ${what}. The log has everything; Deputy tries again.`);
        warned = what;
        if (closing.signal.aborted) return;
        await clock.sleep(limits.retryMs, closing.signal).catch(() => undefined);
      }
    }
  };

  const running = run().finally(leave);
  let closed: Promise<void> | undefined;
  const closeOnce = async (): Promise<void> => {
    closing.abort();
    bell.ring();
    const done = new AbortController();
    clock.sleep(limits.drainMs, done.signal).then(
      () => stop.abort(),
      () => undefined,
    );
    await running;
    done.abort();
  };
  const close = (): Promise<void> => (closed ??= closeOnce());
  return { close, [Symbol.asyncDispose]: close };
}

/**
 * Writes all daily files again from the log, which can take long. Keeps the old ones under the returned name.
 * No other process may use the home.
 */
export async function rebuildDaily(deps: {
  readonly home: string;
  readonly events: PlacedEvents;
  readonly clock: Clock;
  readonly warn: (text: string) => void;
}): Promise<string | undefined> {
  const files = dailyFiles(deps.home);
  const aside = existsSync(files.directory) ? putDailyAside(files, deps.clock.now()) : undefined;
  await openDailyWriter({ ...deps, limits: { drainMs: Infinity } }).close();
  return aside;
}
