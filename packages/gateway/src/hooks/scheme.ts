import type { Hook } from "./hook.ts";

/** A request as a scheme sees it. */
export interface Sent {
  /** The one value of a header; undefined when it is missing or there are several. */
  header(name: string): string | undefined;
  readonly raw: Buffer;
  /** Of the body. */
  readonly sha256: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly nowMs: number;
}

export type Refusal = "missing_signature" | "wrong_signature" | "stale_signature";

/** What tells a delivery from others. */
export interface Identity {
  /** Of what the sender vouches for: nobody can send the same thing again under another. */
  readonly key: string;
  /** As the sender calls it; without one, the key is shown. */
  readonly deliveryId?: string | undefined;
  /** What it says it is about, where that is not in the payload. Nobody vouches for it. */
  readonly event?: string | undefined;
}

export interface Scheme {
  /** Whether it also takes form fields; all take JSON. */
  readonly forms: boolean;
  /** Undefined when the signature is right. Never throws, whatever was sent. */
  refusal(sent: Sent, hook: Pick<Hook, "secret" | "publicUrl">): Refusal | undefined;
  /** Only for what was not refused. */
  identify(sent: Sent, payload: unknown, hook: Pick<Hook, "publicUrl">): Identity;
  /** What to answer when the sender only wants to know whether somebody is there. */
  challenge?(payload: unknown): unknown;
}

const TOLERANCE_SECONDS = 300;

/** Whether a sender's time in seconds is close enough to ours, before or after. */
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
