import type { EventId } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";
import type { Database } from "@deputy/sqlite";
import { erasedRanges, isInRanges, type SeqRange } from "../log/index.ts";
import { PAYLOAD } from "./candidate-table.ts";

/** Events of a stream without a payload and without an `event.erased` that says why. */
export interface Unexplained {
  readonly stream: StreamId;
  readonly why: "lost" | "damaged" | "erased";
  /** Of the first. */
  readonly eventId: EventId;
  readonly payloadHash: string;
  /** All of them, in rising order. */
  readonly ranges: readonly SeqRange[];
}

/** The most ranges in one record. */
const MOST_RANGES = 1_000;

/**
 * Takes the payload from every chosen event that an `event.erased` names, even if a source still had it.
 * Returns the events without a payload that no record names. If the record of an erasure was itself erased,
 * it may have named any event of its stream.
 */
export function eraseAgain(db: Database): readonly Unexplained[] {
  const blank = db.sql(`UPDATE candidates SET salt = NULL, payload = NULL, payload_state = ${PAYLOAD.erased}
    WHERE stream = ? AND seq BETWEEN ? AND ? AND chosen AND payload_state != ${PAYLOAD.standIn}`);
  const explained = new Map<string, SeqRange[]>();
  const silent = new Set<string>();
  const records = db.sql("SELECT stream, payload FROM candidates WHERE chosen AND type = 'event.erased'");
  for (const row of records.all()) {
    const [stream, payload] = [String(row["stream"]), row["payload"]];
    if (typeof payload !== "string") silent.add(stream);
    else explained.set(stream, [...(explained.get(stream) ?? []), ...erasedRanges(JSON.parse(payload))]);
  }
  for (const [stream, ranges] of explained) {
    ranges.sort(([a], [b]) => a - b);
    for (const [first, last] of ranges) blank.run(stream, first, last);
  }

  const without = db.iterate(`SELECT stream, seq, id, payload_hash, payload_state FROM candidates
    WHERE chosen AND payload_state != ${PAYLOAD.sound} ORDER BY stream, payload_state, seq`);
  const found: (Omit<Unexplained, "ranges"> & { readonly ranges: [number, number][] })[] = [];
  for (const row of without) {
    const [stream, seq, state] = [String(row["stream"]), Number(row["seq"]), row["payload_state"]];
    if (state === PAYLOAD.erased && silent.has(stream)) continue;
    if (isInRanges(explained.get(stream) ?? [], seq)) continue;
    const why = state === PAYLOAD.standIn ? "lost" : state === PAYLOAD.damaged ? "damaged" : "erased";
    const last = found.at(-1);
    const run = last?.stream === stream && last.why === why ? last.ranges.at(-1) : undefined;
    if (run !== undefined && run[1] === seq - 1) run[1] = seq;
    else if (run !== undefined && last !== undefined && last.ranges.length < MOST_RANGES)
      last.ranges.push([seq, seq]);
    else
      found.push({
        stream: stream as StreamId,
        why,
        eventId: String(row["id"]) as EventId,
        payloadHash: String(row["payload_hash"]),
        ranges: [[seq, seq]],
      });
  }
  return found;
}
