import type { EventData } from "@deputy/protocol";

/**
 * The way out to the network, called like `fetch`, with `method`, `headers`, `body`, `signal` and `redirect`.
 *
 * Reaches only public addresses and the private origins that it was created for, over http and https, and
 * connects to exactly the address that it checked. Redirects are judged like requests. Another origin gets
 * none of the caller's headers, except those that say which content is wanted. Ends requests that are too
 * slow or too large, measured as received and decompressed. Reports every request to the audit.
 *
 * Rejects with `request_invalid`, `address_refused`, `http_unreachable`, `response_invalid`, or the signal's
 * reason. The body fails with `response_too_large`, `http_unreachable`, `response_invalid`, or the signal's
 * reason. A response of any status counts as an answer. The caller must read its body or cancel it.
 */
export type GuardedFetch = (url: URL | string, init?: RequestInit) => Promise<Response>;

/** Called once for each request, redirects included, when its answer was read or has failed. Must not throw. */
export type NetAudit = (request: EventData<"net.request">) => void;

export interface FetchLimits {
  /** Time until there is a connection, with name resolution and handshake. */
  readonly connectMs: number;
  /** Time from there until the headers of the answer. */
  readonly headersMs: number;
  /** Time between two chunks of the body. */
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
