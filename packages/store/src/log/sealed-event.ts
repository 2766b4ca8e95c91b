import type { EventId, TurnId } from "@deputy/kit";
import {
  EventLogError,
  isTurnEndType,
  type NewEvent,
  payloadHash,
  type Sha256,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";

/** An event with what its payload hash covers; salt and payload are both null once it was erased. */
export interface SealedEvent {
  readonly event: StoredEvent;
  readonly salt: string | null;
  /** The payload as JSON text, exactly as it was hashed. */
  readonly payload: string | null;
}

/** A new event whose payload was turned into text when it was handed over. */
export interface Draft {
  readonly type: string;
  readonly turnId: TurnId | undefined;
  readonly data: unknown;
  readonly payload: string;
}

/** Where in the log an event is to stand. */
export interface Place {
  readonly id: EventId;
  readonly stream: StreamId;
  readonly seq: number;
  readonly at: string;
  readonly prev: string;
}

export function draftEvent(event: NewEvent): Draft {
  return { type: event.type, turnId: event.turnId, data: event.data, payload: JSON.stringify(event.data) };
}

export function sealDraft(sha256: Sha256, place: Place, draft: Draft, salt: string): StoredEvent {
  const { id, stream, seq, at, prev } = place;
  const { type, turnId, data, payload } = draft;
  const hash = payloadHash(sha256, salt, payload);
  return turnId === undefined
    ? { id, stream, seq, at, type, data, payloadHash: hash, prev }
    : { id, stream, seq, at, type, turnId, data, payloadHash: hash, prev };
}

/** True when the payload is what was hashed, or was erased together with its salt. */
export function payloadHolds(sha256: Sha256, sealed: SealedEvent): boolean {
  const { event, salt, payload } = sealed;
  if (salt === null || payload === null) return salt === payload;
  return payloadHash(sha256, salt, payload) === event.payloadHash;
}

/** Throws `turn_ended` when an event would follow the end of its own turn. `hasEnded` says what the stream has already. */
export function assertTurnsOpen(
  stream: StreamId,
  drafts: readonly Pick<Draft, "type" | "turnId">[],
  hasEnded: (turnId: TurnId) => boolean,
): void {
  const ending = new Set<TurnId>();
  for (const { type, turnId } of drafts) {
    if (turnId === undefined) continue;
    if (ending.has(turnId) || hasEnded(turnId))
      throw new EventLogError("turn_ended", `Turn ${turnId} of ${stream} has ended; nothing is added to it`);
    if (isTurnEndType(type)) ending.add(turnId);
  }
}
