import type { Clock } from "@deputy/kit";
import { isAudited } from "@deputy/protocol";
import { erasedRanges, type PlacedEvent, type PlacedEvents, type SeqRange } from "../log/index.ts";
import {
  type DailyCursor,
  readDailyCursor,
  saveDailyCursor,
  type DailyFiles,
  dayOf,
  daysWithFile,
  prepareDaily,
  putDailyAside,
} from "./daily-files.ts";
import { eventHash, encodeLine, idOfLine } from "./daily-line.ts";
import type { DailyLimits } from "./daily-writer.ts";
import { type DayFile, openDayFile } from "./day-file.ts";
import { type FileHandle, open } from "node:fs/promises";
import { type FileLine, readLines } from "./read-lines.ts";

/** Carries events from the log to the files, from opening the files to closing them. */
export interface DailyProjection extends AsyncDisposable {
  /** The last event that the files take into account. */
  readonly position: number;
  take(page: readonly PlacedEvent[]): Promise<void>;
  /** Milliseconds until `save` is due; never, when there is nothing to save. */
  dueMs(): number;
  save(): Promise<void>;
}

export async function openDailyProjection(deps: {
  readonly files: DailyFiles;
  readonly events: PlacedEvents;
  readonly clock: Clock;
  readonly limits: Pick<DailyLimits, "syncLines" | "syncMs" | "writeBytes">;
  readonly warn: (text: string) => void;
}): Promise<DailyProjection> {
  const { files, events, clock, limits, warn } = deps;
  prepareDaily(files);
  let saved = await fittingCursor(deps);
  let { position } = saved;
  let last: PlacedEvent | undefined;
  let file: DayFile | undefined;
  /** The records of erasures that the files do not show yet. */
  let erasures: PlacedEvent[] = [];
  let lines = 0;
  let dueAtMs = Infinity;

  /**
   * Overwrites the lines of erased events. The cursor must not pass their erasure before that. Takes many at
   * once, because each call walks through a file.
   */
  const erase = async (): Promise<void> => {
    await file?.write();
    const erased = erasures.flatMap(({ event }) =>
      // An event is written before it can be erased.
      [...seqsIn(erasedRanges(event.data), event.seq)].flatMap((seq) => events.find(event.stream, seq) ?? []),
    );
    for (const [day, ofDay] of Map.groupBy(erased, ({ event }) => dayOf(event)))
      await eraseLines(files.pathOf(day), ofDay);
    erasures = [];
  };
  const save = async (): Promise<void> => {
    if (last === undefined) return;
    await erase();
    await file?.sync();
    const { day, bytes, line } = file ?? saved;
    saved = { position, event: eventHash(last.event), day, bytes, line };
    await saveDailyCursor(files.cursor, saved);
    last = undefined;
    lines = 0;
    dueAtMs = Infinity;
  };
  const enter = async (placed: PlacedEvent): Promise<DayFile> => {
    const day = dayOf(placed.event);
    if (file?.day === day) return file;
    // Lines after the cursor in any other file do not belong there, so there must be none.
    await save();
    await file?.close();
    file = undefined;
    file = await openDayFile(files, day, saved, warn);
    return file;
  };

  return {
    get position() {
      return position;
    },
    async take(page) {
      for (const placed of page) {
        if (isAudited(placed.event.type)) {
          const current = await enter(placed);
          current.add(placed);
          if (placed.event.type === "event.erased") erasures.push(placed);
          lines += 1;
          if (current.waitingBytes >= limits.writeBytes) await current.write();
        }
        ({ position } = placed);
        last = placed;
        if (dueAtMs === Infinity) dueAtMs = clock.monotonicMs() + limits.syncMs;
      }
      await file?.write();
    },
    dueMs: () => (lines >= limits.syncLines ? 0 : dueAtMs - clock.monotonicMs()),
    save,
    [Symbol.asyncDispose]: async () => await file?.close(),
  };
}

function* seqsIn(ranges: readonly SeqRange[], before: number): Generator<number> {
  for (const [first, last] of ranges) for (let seq = first; seq <= last && seq < before; seq++) yield seq;
}

/**
 * The cursor before the first event. Deputy writes it before the first file, so a file without a cursor is
 * not Deputy's.
 */
const START: DailyCursor = { position: 0, event: "", day: "", bytes: 0, line: "" };

/** The cursor, if the files can be continued from it. Files that do not match the log are put aside first. */
async function fittingCursor(deps: {
  readonly files: DailyFiles;
  readonly events: PlacedEvents;
  readonly clock: Clock;
  readonly warn: (text: string) => void;
}): Promise<DailyCursor> {
  const { files, events, clock } = deps;
  const begin = async (): Promise<DailyCursor> => {
    await saveDailyCursor(files.cursor, START);
    return START;
  };
  const reading = await readDailyCursor(files.cursor);
  if (reading.kind === "found") {
    if (reading.cursor.position === START.position) return START;
    const there = events.at(reading.cursor.position);
    if (there !== undefined && eventHash(there.event) === reading.cursor.event) return reading.cursor;
  } else if (reading.kind === "absent" && daysWithFile(files).length === 0) return await begin();
  const why = {
    found: "They hold events that the log does not have.",
    absent: "Nothing says how far they go.",
    unreadable: "What says how far they go cannot be read.",
  }[reading.kind];
  const aside = putDailyAside(files, clock.now());
  prepareDaily(files);
  deps.warn(`The daily files were put aside as ${aside} and are written anew. ${why}`);
  return await begin();
}

/**
 * Overwrites the lines of events whose payloads were erased. What is left of a line has the same hashes and
 * the same length, so the lines below stay in place and stay valid. Idempotent, even after a crash in the
 * middle: a line is found by its beginning, which does not change. Walks through the file once.
 */
async function eraseLines(path: string, erased: readonly PlacedEvent[]): Promise<void> {
  const left = new Map<string, PlacedEvent>(erased.map((placed) => [placed.event.id, placed]));
  let handle: FileHandle | undefined;
  try {
    for await (const line of readLines(path)) {
      const id = line.text === undefined ? undefined : idOfLine(line.text);
      const placed = id === undefined ? undefined : left.get(id);
      if (placed === undefined) continue;
      left.delete(placed.event.id);
      const stub = stubOf(line, placed);
      handle ??= await open(path, "r+");
      await handle.write(stub, 0, stub.length, line.offset);
      if (left.size === 0) break;
    }
    await handle?.datasync();
  } finally {
    await handle?.close();
  }
}

function stubOf({ text = "", bytes }: FileLine, placed: PlacedEvent): Buffer {
  const before = beforeOf(text);
  if (before === undefined) return Buffer.alloc(0);
  const stub = Buffer.alloc(bytes, " ");
  stub.write(encodeLine({ ...placed, salt: null, payload: null }, before).text);
  return stub;
}

/** The padding is at the end of a complete line, or after an erased payload if the write was interrupted. */
function beforeOf(text: string): string | undefined {
  const atEnd = /"before":"([0-9a-f]{64})","line":"[0-9a-f]{64}"\}\s*$/.exec(text);
  return (atEnd ?? /"data":null,"position":.*?"before":"([0-9a-f]{64})"/.exec(text))?.[1];
}
