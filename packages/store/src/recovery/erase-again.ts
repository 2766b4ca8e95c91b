import type { DatabaseSync } from "node:sqlite";
import type { EventId } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";
import { erasedSeqs } from "../log/index.ts";
import { PAYLOAD } from "./candidate-table.ts";
import type { MissingEvents } from "./lost-events.ts";

/** An event, or several in a row, without a payload and without an `event.erased` that says why. */
export interface Unexplained {
  readonly stream: StreamId;
  readonly seq: number;
  readonly throughSeq: number;
  readonly eventId: EventId;
  readonly payloadHash: string;
  readonly why: "lost" | "damaged" | "erased";
}

/**
 * Takes the payload from every chosen event that an `event.erased` names, whichever source still had it,
 * and returns those that have none and that nothing names. An erasure's record that was erased itself
 * may have named any of its stream.
 */
export function eraseAgain(db: DatabaseSync, gaps: readonly MissingEvents[]): readonly Unexplained[] {
  const blank =
    db.prepare(`UPDATE candidates SET salt = NULL, payload = NULL, payload_state = ${PAYLOAD.erased}
    WHERE stream = ? AND seq BETWEEN ? AND ? AND chosen AND payload_state != ${PAYLOAD.standIn}`);
  const explained: { readonly stream: string; readonly first: number; readonly last: number }[] = [];
  const silent = new Set<string>();
  const records = db.prepare("SELECT stream, payload FROM candidates WHERE chosen AND type = 'event.erased'");
  for (const { stream, payload } of records.all()) {
    if (typeof payload !== "string") silent.add(String(stream));
    else explained.push({ stream: String(stream), ...erasedSeqs(JSON.parse(payload)) });
  }
  for (const { stream, first, last } of explained) blank.run(stream, first, last);

  const without = db.prepare(`SELECT stream, seq, id, payload_hash, payload_state FROM candidates
    WHERE chosen AND payload_state != ${PAYLOAD.sound} ORDER BY stream, seq`);
  const found: Unexplained[] = [];
  const startOfGap = new Map(gaps.map((gap) => [`${gap.stream} ${gap.first}`, gap]));
  let gap: MissingEvents | undefined;
  for (const row of without.all()) {
    const [stream, seq, state] = [String(row["stream"]), Number(row["seq"]), row["payload_state"]];
    if (gap !== undefined && gap.stream === stream && seq <= gap.last) continue;
    gap = startOfGap.get(`${stream} ${seq}`);
    const isNamed = explained.some((one) => one.stream === stream && seq >= one.first && seq <= one.last);
    if (isNamed || (state === PAYLOAD.erased && silent.has(stream))) continue;
    found.push({
      stream: stream as StreamId,
      seq,
      throughSeq: gap?.last ?? seq,
      eventId: String(row["id"]) as EventId,
      payloadHash: String(row["payload_hash"]),
      why: state === PAYLOAD.standIn ? "lost" : state === PAYLOAD.damaged ? "damaged" : "erased",
    });
  }
  return found;
}
