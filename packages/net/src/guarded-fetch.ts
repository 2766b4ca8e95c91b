import type { EventData } from "@deputy/protocol";

/**
 * The way out to the network, called as `fetch` is, with `method`, `headers`, `body`, `signal` and `redirect`.
 *
 * Goes nowhere but to public addresses and to private origins that it was made for, over http and https, and
 * connects to the very address that it has checked. Redirects are judged like requests; at another origin nothing of
 * the caller's headers arrives, but for what says which content is wanted. Ends what is too slow or too large, as it
 * comes and decompressed. Every request is told to the audit.
 *
 * Rejects with `request_invalid`, `address_refused`, `http_unreachable`, `response_invalid`, or the signal's reason.
 * The body fails with `response_too_large`, `http_unreachable`, `response_invalid`, or the signal's reason. An answer
 * of any status is an answer. Whoever gets it reads its body or cancels it.
 */
export type GuardedFetch = (url: URL | string, init?: RequestInit) => Promise<Response>;

/** Called once for each request, redirects included, when its answer was read or has failed. Must not throw. */
export type NetAudit = (request: EventData<"net.request">) => void;

export interface FetchLimits {
  /** Until there is a connection: resolving the name and shaking hands included. */
  readonly connectMs: number;
  /** From there until the answer's headers are there. */
  readonly headersMs: number;
  /** Between two pieces of its body. */
  readonly idleMs: number;
  /** The time for the whole request, with redirects and the body; absent when streams should stay open. */
  readonly totalMs?: number;
  /** The limit for a body, decompressed. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly redirects: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 20_000,
  totalMs: 60_000,
  bodyBytes: 32 * 1024 * 1024,
  headerBytes: 32 * 1024,
  redirects: 5,
};
