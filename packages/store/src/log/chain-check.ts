import {
  type Damage,
  FIRST_PREV,
  headerHash,
  type Sha256,
  type StreamId,
  EventLogError,
  isTurnEndType,
  type NewEvent,
  payloadHash,
  type StoredEvent,
} from "@deputy/protocol";
import type { EventId, TurnId } from "@deputy/kit";

/** How far a stream was checked: the last `seq`, and the hash that the next `prev` must name. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

const CHAIN_START: ChainPoint = { seq: 0, hash: FIRST_PREV };

/** Checks one stream event by event and reports what is wrong. */
export interface ChainCheck {
  readonly point: ChainPoint;
  /** What is wrong with the next event, if anything. The check continues from that event either way. */
  next(sealed: SealedEvent): Damage | undefined;
  /** What is wrong if the stream's recorded head is `head` and no event follows. */
  end(head: ChainPoint | undefined): Damage | undefined;
}

export function createChainCheck(sha256: Sha256, stream: StreamId, start = CHAIN_START): ChainCheck {
  let point = start;

  const inspect = (sealed: SealedEvent, before: ChainPoint): Damage | undefined => {
    const { seq, prev } = sealed.event;
    if (seq !== before.seq + 1) return damage("gap", `expected event ${before.seq + 1}, found ${seq}`, seq);
    if (prev !== before.hash) return damage("link", `event ${seq} does not follow event ${seq - 1}`, seq);
    if (!payloadHolds(sha256, sealed))
      return damage("payload", `the payload of event ${seq} was changed`, seq);
    return undefined;
  };
  const damage = (kind: Damage["kind"], what: string, seq: number): Damage => ({
    kind,
    stream,
    seq,
    message: `${stream}: ${what}`,
  });

  return {
    get point() {
      return point;
    },
    next(sealed) {
      const before = point;
      point = { seq: sealed.event.seq, hash: headerHash(sha256, sealed.event) };
      return inspect(sealed, before);
    },
    end(head) {
      const seq = head?.seq ?? 0;
      if (seq > point.seq)
        return damage("gap", `events ${point.seq + 1} to ${seq} are missing`, point.seq + 1);
      if (seq < point.seq) return damage("head", `the head says ${seq}, the last event is ${point.seq}`, seq);
      if (head !== undefined && head.hash !== point.hash)
        return damage("head", `event ${seq} is not the one the head names`, seq);
      return undefined;
    },
  };
}

/** An event with the input of its payload hash. Salt and payload are both null once it was erased. */
export interface SealedEvent {
  readonly event: StoredEvent;
  readonly salt: string | null;
  /** The payload as JSON text, exactly as it was hashed. */
  readonly payload: string | null;
}

/** A new event. Its payload was turned into text when it was handed over. */
export interface Draft {
  readonly type: string;
  readonly turnId: TurnId | undefined;
  readonly data: unknown;
  readonly payload: string;
}

/** The event's place in the log. */
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

/** True if the payload matches its hash, or was erased together with its salt. */
export function payloadHolds(sha256: Sha256, sealed: SealedEvent): boolean {
  const { event, salt, payload } = sealed;
  if (salt === null || payload === null) return salt === payload;
  return payloadHash(sha256, salt, payload) === event.payloadHash;
}

/**
 * Throws `turn_ended` if an event would follow the end of its own turn. `hasEnded` says which turns the
 * stream has ended.
 */
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
