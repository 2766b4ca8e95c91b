import type { Damage, Sha256, StreamId } from "@deputy/protocol";
import { type ChainPoint, createChainCheck } from "./chain-check.ts";
import type { SealedEvent } from "./chain-check.ts";

/** Finds everything that `verify` reports about one stream; gets its events from first to last. */
export interface StreamAudit {
  readonly events: number;
  readonly erased: number;
  /** The last event it was given. */
  readonly point: ChainPoint;
  next(sealed: SealedEvent): Damage | undefined;
  /** What only shows at the end: a wrong head, or a missing payload that no `event.erased` names. */
  end(head: ChainPoint | undefined): readonly Damage[];
}

export function createStreamAudit(sha256: Sha256, stream: StreamId): StreamAudit {
  const chain = createChainCheck(sha256, stream);
  const unexplained = new Set<number>();
  let events = 0;
  let erased = 0;
  let erasedRecords = 0;

  return {
    get events() {
      return events;
    },
    get erased() {
      return erased;
    },
    get point() {
      return chain.point;
    },
    next(sealed) {
      events += 1;
      if (sealed.payload === null) {
        erased += 1;
        unexplained.add(sealed.event.seq);
        if (sealed.event.type === "event.erased") erasedRecords += 1;
      } else if (sealed.event.type === "event.erased") {
        const ranges = erasedRanges(sealed.event.data);
        if (ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]) unexplained.delete(ranges[0]?.[0] ?? 0);
        else for (const seq of unexplained) if (isInRanges(ranges, seq)) unexplained.delete(seq);
      }
      return chain.next(sealed);
    },
    end(head) {
      const wrongHead = chain.end(head);
      const found = wrongHead === undefined ? [] : [wrongHead];
      // A record that was itself erased no longer says what it explained.
      if (erasedRecords > 0) return found;
      for (const seq of unexplained) {
        const message = `${stream}: the payload of event ${seq} is gone, and no event.erased says why`;
        found.push({ kind: "payload", stream, seq, message });
      }
      return found;
    },
  };
}

export type SeqRange = readonly [first: number, last: number];

/** The events that an `event.erased` names, in ascending order; empty if it names none. */
export function erasedRanges(data: unknown): readonly SeqRange[] {
  const { seq, ranges } = (data ?? {}) as { readonly seq?: unknown; readonly ranges?: unknown };
  if (typeof seq !== "number") return [];
  if (!Array.isArray(ranges) || !ranges.every(isRange)) return [[seq, seq]];
  return ranges.toSorted(([a], [b]) => a - b);
}

/** True if one of the ascending ranges contains this number. */
export function isInRanges(ranges: readonly SeqRange[], seq: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.[0] ?? Infinity) <= seq;
}

function isRange(value: unknown): value is SeqRange {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");
}
