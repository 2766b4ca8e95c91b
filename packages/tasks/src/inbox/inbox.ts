import type { EventOf } from "@deputy/protocol";

/** A report that came to a webhook from a sender who proved that they may send it. */
export interface Delivery {
  /** The hook's id, which no other ever has, and its name. */
  readonly hookId: string;
  readonly hook: string;
  readonly scheme: string;
  /**
   * Identifies the delivery among all deliveries to this hook. The same key is the same delivery, so it must be part
   * of what the sender has signed or proved.
   */
  readonly key: string;
  /** The sender's id for it. */
  readonly deliveryId: string;
  /** The sender's name for the kind of event, if it is not in the payload. It is not verified. */
  readonly event?: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly payload: unknown;
}

export type Accepted =
  | { readonly kind: "accepted" }
  /** It is already in the log. */
  | { readonly kind: "duplicate" };

/** Reports of others; each delivery is kept once. */
export interface Inbox {
  /**
   * Durable once resolved. Idempotent by hook and key, across processes and crashes. Secrets in its payload are
   * redacted. Rejects as `EventLog.append` does.
   */
  accept(delivery: Delivery): Promise<Accepted>;
}

/** Reads the inbox from a log that another process may be writing to. */
export interface InboxReader {
  /** The newest deliveries, the last one first, of the hook with this id or of all hooks. Rejects as the log does. */
  newest(options: { readonly hookId?: string; readonly limit: number }): Promise<readonly ReceivedDelivery[]>;
}

export type ReceivedDelivery = EventOf<"hook.received">;
