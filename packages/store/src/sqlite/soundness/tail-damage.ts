import { type Damage, headerHash, type StreamId } from "@deputy/protocol";
import { type ChainCheck, createChainCheck } from "../../log/index.ts";
import type { EventRows } from "../rows/event-rows.ts";
import { sha256 } from "../sha256.ts";
import type { StreamRows } from "../rows/stream-rows.ts";
import type { WitnessReading } from "./tail-witness.ts";

/** Events that were acknowledged according to the witness and that the database does not have. */
export function witnessDamage(rows: EventRows, witness: WitnessReading): readonly Damage[] {
  const end = rows.lastPosition();
  if (witness.kind !== "found") {
    if (end === 0) return [];
    const state = witness.kind === "absent" ? "is missing" : "cannot be read";
    return [tailLost(`deputy.tail ${state}, so it is unknown whether events after ${end} were lost`)];
  }
  const { position, eventId, hash } = witness.record;
  if (position === 0) return [];
  if (end < position) {
    const lost = end + 1 === position ? `event ${position}` : `events ${end + 1} to ${position}`;
    return [tailLost(`${lost} of the log were acknowledged (the last one: ${eventId}) and are missing`)];
  }
  const row = rows.at(position);
  if (row !== undefined && headerHash(sha256, row.event) === hash) return [];
  return [tailLost(`position ${position} of the log does not hold ${eventId}, which was acknowledged there`)];
}

function tailLost(message: string): Damage {
  return { kind: "tail_lost", message };
}

/** Checks that the last events match: each with the one before it and with its stream's head. */
export function recentDamage(
  source: { readonly rows: EventRows; readonly streamRows: StreamRows },
  limit: number,
): { readonly checked: number; readonly damage: readonly Damage[] } {
  const recent = source.rows.last(limit);
  const chains = new Map<StreamId, ChainCheck>();
  const damage: Damage[] = [];
  const note = (found: Damage | undefined): void => {
    if (found !== undefined) damage.push(found);
  };

  for (const row of recent) {
    const { stream, seq, prev } = row.event;
    const chain = chains.get(stream) ?? createChainCheck(sha256, stream, { seq: seq - 1, hash: prev });
    chains.set(stream, chain);
    note(chain.next(row));
  }
  for (const [stream, chain] of chains) note(chain.end(source.streamRows.stream(stream)));
  return { checked: recent.length, damage };
}
