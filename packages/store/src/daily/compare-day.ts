import { FIRST_PREV, isAudited, type StoredEvent } from "@deputy/protocol";
import { type DayRange, PAGE_ITEMS, type PlacedEvent, type UnverifiedEvents } from "../log/index.ts";
import { type DailyCursor, type DailyFiles, dayOf, nameOf } from "./daily-files.ts";
import { type DailyLine, decodeLine, eventHash, lineHolds } from "./daily-line.ts";
import { type FileLine, readLines } from "./read-lines.ts";
import type { DailyFinding } from "./verify-daily.ts";

/** Walks one day's file and that day's part of the log side by side, holding one page of each. */
export async function compareDay(deps: {
  readonly files: DailyFiles;
  readonly day: string;
  readonly range: DayRange | undefined;
  readonly events: UnverifiedEvents;
  readonly cursor: DailyCursor | undefined;
  readonly note: (finding: DailyFinding) => void;
  /** An event that is not written yet, and need not be. */
  readonly onPending: (event: StoredEvent) => void;
  /** True if the files do not have to show the erasure yet. */
  readonly isErasurePending: (event: StoredEvent) => boolean;
  readonly onLine: (number: number) => void;
}): Promise<void> {
  const { day, cursor, note } = deps;
  const file = `daily/${nameOf(day)}`;
  const expected = eventsOf(deps);
  let due = expected.next().value;
  let number = 0;
  let above = FIRST_PREV;
  let lastPosition = 0;

  const find = (
    kind: DailyFinding["kind"],
    line: number,
    event: StoredEvent | undefined,
    what: string,
  ): void => {
    const place = event === undefined ? {} : { stream: event.stream, seq: event.seq };
    note({ kind, file, line, ...place, message: `line ${line}: ${what}` });
  };
  const advance = (): PlacedEvent | undefined => (due = expected.next().value);
  /**
   * Skips the events that the log has before a position and the file lacks. True if a required one is
   * missing.
   */
  const skipTo = (position: number, line: number): boolean => {
    let first: StoredEvent | undefined;
    let count = 0;
    for (let row = due; row !== undefined && row.position < position; row = advance()) {
      if (row.position > (cursor?.position ?? 0)) {
        deps.onPending(row.event);
        continue;
      }
      count += 1;
      first ??= row.event;
    }
    if (first === undefined) return false;
    const what = count === 1 ? "is missing" : `and ${count - 1} more after it are missing`;
    if (number > 0) find("missing", line, first, `${nameEvent(first)} ${what}`);
    else
      note({
        kind: "missing",
        file,
        stream: first.stream,
        seq: first.seq,
        message: `the file is gone: ${nameEvent(first)} ${what}`,
      });
    return true;
  };

  const compare = (read: DailyLine, line: number): void => {
    const { event, position, before } = read;
    const name = nameEvent(event);
    const isGap = skipTo(position, line);
    const follows = isGap || before === above;
    above = read.line;
    if (due?.position === position) {
      const row = due;
      advance();
      if (!lineHolds(read) || read.hash !== eventHash(row.event))
        find("changed", line, row.event, `${nameEvent(row.event)} was changed`);
      else if (read.payload !== null && row.payload === null && !deps.isErasurePending(event))
        find("unerased", line, event, `${name} still holds what was erased from the log`);
      else if (read.payload === null && row.payload !== null && !isErased(deps, position))
        find("changed", line, event, `${name} has lost its content, which was not erased`);
      else if (!follows) find("order", line, event, `${name} does not follow the line above it`);
    } else if (position <= lastPosition) find("order", line, event, `${name} is out of order, or here twice`);
    else if (!isInLog(deps, read))
      find("extra", line, event, `${name} is not in the log at position ${position}`);
    lastPosition = Math.max(lastPosition, position);
  };

  for await (const one of readLines(deps.files.pathOf(day))) {
    ({ number } = one);
    deps.onLine(number);
    const read = one.text === undefined ? undefined : decodeLine(one.text);
    if (read !== undefined && one.end === "complete") compare(read, number);
    else if (!isBeingWritten(one, day, cursor)) {
      find("unreadable", number, due?.event, `${nameEvent(due?.event)} cannot be read`);
      if (due !== undefined) advance();
    }
  }
  skipTo(Infinity, number + 1);
}

/**
 * True for an unfinished last line that a writer is writing, or was when it stopped: the next start mends it.
 */
function isBeingWritten(line: FileLine, day: string, cursor: DailyCursor | undefined): boolean {
  return line.end === "torn" && (cursor?.day !== day || line.offset >= cursor.bytes);
}

/** Looks again, for lines that were written after the comparison began. */
function isInLog(
  { events, day }: { readonly events: UnverifiedEvents; readonly day: string },
  { position, hash, event }: DailyLine,
): boolean {
  const [row] = events.page(position - 1, 1);
  return row?.position === position && eventHash(row.event) === hash && dayOf(event) === day;
}

/** Looks again, because the event may have been erased after this part of the log was read. */
function isErased({ events }: { readonly events: UnverifiedEvents }, position: number): boolean {
  const [row] = events.page(position - 1, 1);
  return row?.position === position && row.payload === null;
}

/** The events that belong in a day's file, in order. */
function* eventsOf(deps: {
  readonly day: string;
  readonly range: DayRange | undefined;
  readonly events: UnverifiedEvents;
}): Generator<PlacedEvent, undefined> {
  const { day, range, events } = deps;
  if (range === undefined) return undefined;
  for (let after = range.first - 1; after < range.last;) {
    const page = events.page(after, PAGE_ITEMS);
    for (const placed of page) {
      if (placed.position > range.last) return undefined;
      if (dayOf(placed.event) === day && isAudited(placed.event.type)) yield placed;
    }
    const last = page.at(-1);
    if (last === undefined) return undefined;
    after = last.position;
  }
  return undefined;
}

function nameEvent(event: StoredEvent | undefined): string {
  return event === undefined ? "what stands here" : `event ${event.seq} of ${event.stream} (${event.type})`;
}
