import { hash as digest } from "node:crypto";
import { headerHash, type StoredEvent, storedEventSchema } from "@deputy/protocol";
import { payloadHolds, type PlacedEvent } from "../log/index.ts";

/** One line of a daily file, as it was read. */
export interface DailyLine extends PlacedEvent {
  /** Hash of the event's header, which continues the log's own chain. */
  readonly hash: string;
  /** The `line` of the line above it; 64 zeros for the first. */
  readonly before: string;
  /** Hash of position, `hash` and `before`. Through `hash` it covers the payload, which can still be erased. */
  readonly line: string;
}

const sha256 = (text: string): string => digest("sha256", text, "hex");

export function lineHash(position: number, hash: string, before: string): string {
  return sha256(JSON.stringify([position, hash, before]));
}

/** The hash by which the log's chain knows the event. */
export function eventHash(event: StoredEvent): string {
  return headerHash(sha256, event);
}

/**
 * The text of a line, without its end, and its hash. What people look for comes first. The line holds
 * everything that proves the event, so that a file can be checked without the log.
 */
export function encodeLine(
  placed: PlacedEvent,
  before: string,
): { readonly text: string; readonly line: string } {
  const { event, position, salt, payload } = placed;
  const { at, type, stream, seq, id, turnId, payloadHash, prev } = event;
  const hash = eventHash(event);
  const line = lineHash(position, hash, before);
  const head = JSON.stringify({ id, at, type, stream, seq, turnId });
  const tail = JSON.stringify({ position, salt, payloadHash, prev, hash, before, line });
  return { text: `${head.slice(0, -1)},"data":${payload ?? "null"},${tail.slice(1)}`, line };
}

/** The beginning of every line, which stays the same after an erasure: the event's id. */
export function idOfLine(text: string): string | undefined {
  return /^\{"id":"(\w+)",/.exec(text)?.[1];
}

/** Undefined if the text is not a line. Does not check its hashes. */
export function decodeLine(text: string): DailyLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = storedEventSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { position, salt, hash, before, line } = value as Readonly<Record<string, unknown>>;
  if (typeof position !== "number" || !(typeof salt === "string" || salt === null)) return undefined;
  if (typeof hash !== "string" || typeof before !== "string" || typeof line !== "string") return undefined;
  const event = parsed.data as StoredEvent;
  const payload = salt === null && event.data === null ? null : JSON.stringify(event.data);
  return { event, position, salt, payload, hash, before, line };
}

/** True if a line matches its own hashes. */
export function lineHolds(read: DailyLine): boolean {
  const { event, position, hash, before, line } = read;
  return hash === eventHash(event) && line === lineHash(position, hash, before) && payloadHolds(sha256, read);
}
