import { hash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { isFsError } from "../database/store-files.ts";

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
    if (isFsError(error, "ENOENT")) return undefined;
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
  return hash("sha256", bytes.subarray(0, BODY_BYTES), "hex");
}
