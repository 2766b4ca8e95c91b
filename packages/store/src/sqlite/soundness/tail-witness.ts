import { systemCodeOf } from "@deputy/kit";
import { type Damage, headerHash, type StreamId } from "@deputy/protocol";
import { type ChainCheck, createChainCheck } from "../../log/index.ts";
import type { EventRows } from "../rows/event-rows.ts";
import { sha256 } from "../sha256.ts";
import type { StreamRows } from "../rows/stream-rows.ts";
import { hash as digest } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

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

/** The last event that was acknowledged as durable, written down outside the database. */
export interface WitnessRecord {
  readonly position: number;
  readonly eventId: string;
  /** Hash of that event's header. */
  readonly hash: string;
  readonly shutdown: "clean" | "running";
}

export type WitnessReading =
  | { readonly kind: "found"; readonly record: WitnessRecord }
  | { readonly kind: "absent" | "unreadable" };

/**
 * SQLite treats a torn or missing end of its write-ahead log as if the log had never been longer. This file
 * reveals such a loss. Two slots are written in turn, so that a torn write leaves the previous record. It is
 * not synced at each commit: it may lag behind the database but never runs ahead.
 */
export interface TailWitness {
  /** Throws when the file cannot be written. */
  record(record: WitnessRecord): void;
  /** Makes the last record survive a power cut. */
  sync(): void;
  close(): void;
}

const MAGIC = "deputyT1";
const SLOT_BYTES = 512;
const BODY_BYTES = 96;
const RECORD_BYTES = BODY_BYTES + 32;

export const NOTHING_ACKNOWLEDGED: WitnessRecord = {
  position: 0,
  eventId: "",
  hash: "0".repeat(64),
  shutdown: "running",
};

export function openTailWitness(path: string): TailWitness {
  const slots = readSlots(path);
  const fd = openSync(path, slots === undefined ? "w+" : "r+", 0o600);
  let counter = Math.max(0, ...(slots ?? []).map((slot) => slot?.counter ?? 0));
  const bytes = Buffer.alloc(RECORD_BYTES);

  return {
    record(record) {
      counter += 1;
      encode(bytes, counter, record);
      writeSync(fd, bytes, 0, RECORD_BYTES, (counter % 2) * SLOT_BYTES);
    },
    sync: () => fsyncSync(fd),
    close: () => closeSync(fd),
  };
}

export function readTailWitness(path: string): WitnessReading {
  const slots = readSlots(path);
  if (slots === undefined) return { kind: "absent" };
  const [newest] = slots.filter((slot) => slot !== undefined).sort((a, b) => b.counter - a.counter);
  return newest === undefined ? { kind: "unreadable" } : { kind: "found", record: newest.record };
}

interface Slot {
  readonly counter: number;
  readonly record: WitnessRecord;
}

function readSlots(path: string): readonly (Slot | undefined)[] | undefined {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(2 * SLOT_BYTES);
    readSync(fd, bytes, 0, bytes.length, 0);
    return [
      decode(bytes.subarray(0, RECORD_BYTES)),
      decode(bytes.subarray(SLOT_BYTES, SLOT_BYTES + RECORD_BYTES)),
    ];
  } finally {
    closeSync(fd);
  }
}

// magic 8 · counter 8 · position 8 · shutdown 1 · (7 unused) · event id 32 · hash 32 · checksum 32
function encode(bytes: Buffer, counter: number, record: WitnessRecord): void {
  bytes.fill(0);
  bytes.write(MAGIC, 0, "latin1");
  bytes.writeBigUInt64LE(BigInt(counter), 8);
  bytes.writeBigUInt64LE(BigInt(record.position), 16);
  bytes.writeUInt8(record.shutdown === "clean" ? 1 : 0, 24);
  bytes.write(record.eventId, 32, 32, "latin1");
  bytes.write(record.hash, 64, 32, "hex");
  bytes.write(checksum(bytes), BODY_BYTES, 32, "hex");
}

function decode(bytes: Buffer): Slot | undefined {
  if (bytes.toString("latin1", 0, 8) !== MAGIC) return undefined;
  if (bytes.toString("hex", BODY_BYTES, RECORD_BYTES) !== checksum(bytes)) return undefined;
  return {
    counter: Number(bytes.readBigUInt64LE(8)),
    record: {
      position: Number(bytes.readBigUInt64LE(16)),
      shutdown: bytes.readUInt8(24) === 1 ? "clean" : "running",
      eventId: bytes.toString("latin1", 32, 64).replace(/\0+$/, ""),
      hash: bytes.toString("hex", 64, 96),
    },
  };
}

function checksum(bytes: Buffer): string {
  return digest("sha256", bytes.subarray(0, BODY_BYTES), "hex");
}
