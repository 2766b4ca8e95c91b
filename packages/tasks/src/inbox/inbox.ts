import type { EventOf } from "@deputy/protocol";

/** What came to a webhook from somebody who has shown that they may report to it. */
export interface Delivery {
  /** The hook's id, which no other ever has, and its name. */
  readonly hookId: string;
  readonly hook: string;
  readonly scheme: string;
  /**
   * What tells it from every other delivery to this hook. The same again is the same delivery: so it must be
   * of what the sender vouches for.
   */
  readonly key: string;
  /** What the sender calls it. */
  readonly deliveryId: string;
  /** What the sender says it is about, where that is not in the payload. Nobody vouches for it. */
  readonly event?: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly payload: unknown;
}

export type Accepted =
  | { readonly kind: "accepted" }
  /** It is in the log already. */
  | { readonly kind: "duplicate" };

/** What others reported, each delivery once. */
export interface Inbox {
  /**
   * Durable once resolved. Idempotent by hook and key, across processes and whatever they did in between.
   * Secrets in its payload are redacted. Rejects as `EventLog.append` does.
   */
  accept(delivery: Delivery): Promise<Accepted>;
}

/** The inbox as it stands in a log that somebody else may be writing to. */
export interface InboxReader {
  /** Of the hook with this id, or of all: the newest deliveries, the last of them first. Rejects as the log does. */
  newest(options: { readonly hookId?: string; readonly limit: number }): Promise<readonly ReceivedDelivery[]>;
}

export type ReceivedDelivery = EventOf<"hook.received">;
