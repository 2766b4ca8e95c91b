import type { Hook } from "./hook.ts";

/** A request as a scheme sees it. */
export interface Sent {
  /** The single value of a header; undefined if it is missing or repeated. */
  header(name: string): string | undefined;
  readonly raw: Buffer;
  /** Hash of the body. */
  readonly sha256: string;
  /** Path and query, as received. */
  readonly url: string;
  readonly nowMs: number;
}

export type Refusal = "missing_signature" | "wrong_signature" | "stale_signature";

/** Identifies a delivery. */
export interface Identity {
  /**
   * Made from data that the sender has signed or proved, so that the same delivery cannot be sent again under another
   * key.
   */
  readonly key: string;
  /** The sender's id for it. Without one, the key is shown. */
  readonly deliveryId?: string | undefined;
  /** The sender's name for the kind of event, if it is not in the payload. It is not verified. */
  readonly event?: string | undefined;
}

export interface Scheme {
  /** True when it also accepts form fields; all schemes accept JSON. */
  readonly forms: boolean;
  /** Undefined when the signature is correct. Never throws, whatever was sent. */
  refusal(sent: Sent, hook: Pick<Hook, "secret" | "publicUrl">): Refusal | undefined;
  /** Called only for accepted deliveries. */
  identify(sent: Sent, payload: unknown, hook: Pick<Hook, "publicUrl">): Identity;
  /** The answer to a sender that only checks whether the address works. */
  challenge?(payload: unknown): unknown;
}

const TOLERANCE_SECONDS = 300;

/** True if a sender's time in seconds is close enough to ours, before or after. */
export function isCurrent(seconds: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(nowMs / 1_000 - Number(seconds)) <= TOLERANCE_SECONDS;
}

/** A text field of a payload, if it is there. */
export function textIn(payload: unknown, ...path: readonly string[]): string | undefined {
  let value = payload;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === "string" && value !== "" ? value : undefined;
}
