import { type Damage, FIRST_PREV, headerHash, type Sha256, type StreamId } from "@deputy/protocol";
import { payloadHolds, type SealedEvent } from "./sealed-event.ts";

/** How far a stream has been followed: the last `seq`, and the hash that the next `prev` must name. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

const CHAIN_START: ChainPoint = { seq: 0, hash: FIRST_PREV };

/** Follows one stream event by event and says what does not hold. */
export interface ChainCheck {
  readonly point: ChainPoint;
  /** What is wrong with the next event, if anything. Either way the check goes on from that event. */
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
