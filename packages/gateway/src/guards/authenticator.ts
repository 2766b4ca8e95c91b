import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Caller } from "../route.ts";
import type { AttemptLimiter } from "./attempt-limiter.ts";
import { type ClientIdentity, isLoopback, isProxied } from "./client-identity.ts";
import type { PageSessions } from "../sign-in/page-sessions.ts";
import { isOwn } from "./origin-guard.ts";
import { remoteAddress } from "./remote-address.ts";

/**
 * A browser puts these headers on everything a page sends, and no page can remove them. (Node's own `fetch` sends
 * `sec-fetch-mode`.)
 */
const BROWSER_HEADERS = ["origin", "sec-fetch-site", "sec-fetch-dest", "cookie"] as const;

export type Verdict =
  | { readonly kind: "accepted"; readonly caller: Caller }
  | { readonly kind: "rejected"; readonly reason: "missing_token" | "wrong_token" }
  | { readonly kind: "blocked"; readonly retryMs: number };

/**
 * Decides by the token alone, or by a page's session that the token has signed: neither the address nor any header gives authority. Without `presented`, uses
 * the token in the `Authorization` header.
 *
 * A client that has guessed too often is blocked before its next token is checked, right or wrong: otherwise
 * the limit would not slow a guesser at all. Nobody else is blocked with it. A right token is never blocked
 * on a connection on which it was presented before, nor for programs of Deputy's own user, who can read the
 * token anyway. If it is unknown whose local program it is, one more token is checked each second.
 */
export type Authenticator = (message: IncomingMessage, presented?: string) => Verdict;

export function createAuthenticator(deps: {
  readonly token: () => string;
  /** What browsers present in place of the token. */
  readonly pageSessions: Pick<PageSessions, "check" | "idOf">;
  readonly limiter: AttemptLimiter;
  readonly clientOf: (message: IncomingMessage) => ClientIdentity;
}): Authenticator {
  const { limiter, clientOf, pageSessions } = deps;
  /** Connections on which the right token was presented. */
  const proven = new WeakSet<Socket>();

  // Compares hashes of equal length, in constant time.
  const isCurrent = (presented: Buffer): boolean => timingSafeEqual(presented, digest(deps.token()));

  // A thousand open streams ask at every event, so the token is read once per turn of the event loop, and
  // compared once for as long as it stays the same.
  let isFresh = false;
  let current = { token: "", digest: digest("") };
  const currentDigest = (): Buffer => {
    if (isFresh) return current.digest;
    const token = deps.token();
    if (token !== current.token) current = { token, digest: digest(token) };
    isFresh = true;
    setImmediate(() => (isFresh = false));
    return current.digest;
  };
  const watch = (hashed: Buffer): (() => boolean) => {
    let equal: Buffer | undefined;
    return () => {
      const now = currentDigest();
      if (now !== equal) equal = timingSafeEqual(hashed, now) ? now : undefined;
      return equal !== undefined;
    };
  };

  /** How long the client is blocked, and whether this request is refused for it. */
  const blockOf = (message: IncomingMessage): { readonly retryMs: number; readonly isFinal: boolean } => {
    if (limiter.isQuiet()) return { retryMs: 0, isFinal: false };
    const { key, kind } = clientOf(message);
    const retryMs = limiter.blockedMs(key);
    if (retryMs === 0) return { retryMs, isFinal: false };
    const isProven = proven.has(message.socket) && !isProxied(message);
    const isLookedAt = kind === "self" || isProven || (kind === "local" && limiter.takeSpare(key));
    return { retryMs, isFinal: !isLookedAt };
  };

  return (message, presented = bearerToken(message)) => {
    const { retryMs, isFinal } = blockOf(message);
    if (isFinal) return { kind: "blocked", retryMs };
    if (presented === undefined || presented === "") return { kind: "rejected", reason: "missing_token" };
    const hashed = digest(presented);
    const ofPage = pageSessions.check(presented, deps.token());
    if (!(ofPage ?? isCurrent(hashed))) {
      if (retryMs > 0) return { kind: "blocked", retryMs };
      limiter.countWrong(clientOf(message).key);
      return { kind: "rejected", reason: "wrong_token" };
    }
    proven.add(message.socket);
    return {
      kind: "accepted",
      caller: {
        name: "owner",
        isLocalProgram: isLocalProgram(message),
        isOnThisMachine: isOnThisMachine(message),
        pageSession: ofPage === undefined ? undefined : pageSessions.idOf(presented),
        stillValid:
          ofPage === undefined ? watch(hashed) : () => pageSessions.check(presented, deps.token()) === true,
      },
    };
  };
}

/** Never empty, so an empty configured token admits no one. */
function bearerToken(message: IncomingMessage): string | undefined {
  const [header, ...more] = message.headersDistinct["authorization"] ?? [];
  if (header === undefined || more.length > 0) return undefined;
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The same for browsers on this machine, as long as our own page sent it. */
function isOnThisMachine(message: IncomingMessage): boolean {
  return isLoopback(remoteAddress(message)) && !isProxied(message) && isOwn(message.headers);
}

/**
 * Did a program on this machine send it, and not a browser or a client on the network? Headers can only make this
 * false. It gives no rights by itself: the token still decides. Limit: a tunnel that adds no header (such as ssh's)
 * counts as this machine.
 */
function isLocalProgram(message: IncomingMessage): boolean {
  if (!isLoopback(remoteAddress(message)) || isProxied(message)) return false;
  return BROWSER_HEADERS.every((name) => message.headers[name] === undefined);
}
