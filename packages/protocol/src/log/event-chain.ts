import type { EventHeader } from "../canonical-event.ts";

/** Lower-case hex SHA-256 of a UTF-8 string; given by the platform. */
export type Sha256 = (text: string) => string;

export const FIRST_PREV = "0".repeat(64);

/** What an event's payload hash covers. The salt is erased with the payload, so a short one cannot be guessed back. */
export function payloadHash(sha256: Sha256, salt: string, payload: string): string {
  return sha256(`${salt}\n${payload}`);
}

/**
 * Stands in a repaired log where an event was lost, so that its stream has no gap. All that is known of
 * the event is the hash that its successor names, which is this one's `payloadHash`. It has no payload.
 */
export const LOST_EVENT_TYPE = "event.lost";

/** What the next event's `prev` covers: every header field, and the payload through its hash. */
export function headerHash(sha256: Sha256, header: EventHeader & { readonly type: string }): string {
  const { id, stream, seq, at, type, turnId, payloadHash: payload, prev } = header;
  if (type === LOST_EVENT_TYPE) return payload;
  return sha256(JSON.stringify([id, stream, seq, at, type, turnId ?? null, payload, prev]));
}
