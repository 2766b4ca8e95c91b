import { type EventData, EventLogError, type StoredEvent, type StreamId } from "@deputy/protocol";
import { PAGE_ITEMS, type UnverifiedEvents } from "../log/index.ts";
import { compareDay } from "./compare-day.ts";
import {
  type DailyCursor,
  readDailyCursor,
  dailyFiles,
  daysWithFile,
  putAsideBefore,
} from "./daily-files.ts";

/** What is wrong, and where. */
export interface DailyFinding {
  readonly kind: "missing" | "changed" | "order" | "extra" | "unerased" | "unreadable" | "behind";
  /** The file's name in the home. */
  readonly file: string;
  /** The line, counted from 1; for missing lines, the line before which they belong. */
  readonly line?: number;
  readonly stream?: StreamId;
  readonly seq?: number;
  readonly message: string;
}

export interface DailyReport {
  readonly files: number;
  readonly lines: number;
  /** Events that the next sync, or the next start, will write. */
  readonly pending: number;
  /** Daily files that did not fit the log and were kept under another name. */
  readonly aside: readonly string[];
  readonly findings: readonly DailyFinding[];
}

/** Findings listed in one report. */
const MAX_FINDINGS = 1000;
/** A writer that works is behind by a second or so. */
const BEHIND_MS = 60_000;

/**
 * Compares the daily files with the log and with themselves, line by line. Works beside a writer. Everything
 * up to the cursor must be in the files; later events may be missing, but not for long. Throws `log_closed`,
 * and the system's own errors.
 */
export async function verifyDaily(deps: {
  readonly home: string;
  readonly events: UnverifiedEvents;
  /** True if the log has a writer now. A stopped writer wrote everything there was. */
  readonly nowMs?: number;
  readonly onProgress?: (lines: number) => void;
}): Promise<DailyReport> {
  const { events, onProgress = () => undefined } = deps;
  const files = dailyFiles(deps.home);
  const reading = await readDailyCursor(files.cursor);
  const cursor = reading.kind === "found" ? reading.cursor : undefined;
  const findings: DailyFinding[] = [];
  const note = (finding: DailyFinding): void => {
    if (findings.length < MAX_FINDINGS) findings.push(finding);
  };
  let pending = 0;
  let [firstMs, lastMs] = [Infinity, 0];
  let lines = 0;

  if (reading.kind === "unreadable")
    note({
      kind: "unreadable",
      file: "daily/cursor.json",
      message: "the file that says how far they go cannot be read",
    });
  const isErasurePending = createPendingErasures(events, cursor?.position ?? 0, deps.nowMs);
  const withFile = daysWithFile(files);
  const compareAll = async (): Promise<void> => {
    noteLostEnd(cursor, events.lastPosition(), note);
    const ranges = new Map(events.days().map((range) => [range.day, range]));
    for (const day of [...new Set([...ranges.keys(), ...withFile])].sort()) {
      const range = ranges.get(day);
      const before = lines;
      await compareDay({
        files,
        day,
        range,
        events,
        cursor,
        note,
        isErasurePending,
        onPending(event) {
          pending += 1;
          firstMs = Math.min(firstMs, Date.parse(event.at));
          lastMs = Math.max(lastMs, Date.parse(event.at));
        },
        onLine(number) {
          lines = before + number;
          if (number % 1024 === 0) onProgress(lines);
        },
      });
    }
  };
  try {
    await compareAll();
  } catch (error) {
    if (!(error instanceof EventLogError) || error.code !== "log_damaged") throw error;
    note({ kind: "unreadable", file: "daily", message: `cannot all be compared: ${error.message}` });
  }
  if (pending > 0 && (deps.nowMs ?? lastMs) - firstMs > BEHIND_MS) {
    const since = new Date(firstMs).toISOString();
    const message = `${pending} events since ${since} are in the log but not in the files`;
    note({ kind: "behind", file: "daily", message });
  }
  return { files: withFile.length, lines, pending, aside: putAsideBefore(files), findings };
}

/**
 * True if the `event.erased` of an event comes after the position up to which the files are written, and is not so old
 * that a writer that works would have erased it from the files.
 */
function createPendingErasures(
  events: UnverifiedEvents,
  position: number,
  nowMs: number | undefined,
): (event: StoredEvent) => boolean {
  const erased = new Set<unknown>();
  const isRecent = ({ at }: StoredEvent): boolean =>
    nowMs === undefined || nowMs - Date.parse(at) <= BEHIND_MS;
  let after = position;
  return ({ id }) => {
    // The writer may have continued since the last check.
    while (!erased.has(id)) {
      const page = events.page(after, PAGE_ITEMS);
      for (const { event } of page)
        if (event.type === "event.erased" && isRecent(event))
          erased.add((event.data as Partial<EventData<"event.erased">> | null)?.eventId);
      const last = page.at(-1);
      if (last === undefined) return false;
      after = last.position;
    }
    return true;
  };
}

/** A log that ends before the files do has lost its end. */
function noteLostEnd(
  cursor: DailyCursor | undefined,
  lastPosition: number,
  note: (finding: DailyFinding) => void,
): void {
  if (cursor === undefined || cursor.position <= lastPosition) return;
  const message = `the files go up to position ${cursor.position}, and the log ends at ${lastPosition}`;
  note({ kind: "extra", file: "daily/cursor.json", message });
}
