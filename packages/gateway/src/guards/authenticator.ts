import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Caller } from "../route.ts";
import type { AttemptLimiter } from "./attempt-limiter.ts";
import { remoteAddress } from "./remote-address.ts";

/**
 * A browser puts these headers on everything a page sends, and no page can remove them. (Node's own `fetch` sends
 * `sec-fetch-mode`.)
 */
const BROWSER_HEADERS = ["origin", "sec-fetch-site", "sec-fetch-dest", "cookie"] as const;

/** A proxy adds one of these; behind one, everybody seems to be on this machine. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

export type Verdict =
  | { readonly kind: "accepted"; readonly caller: Caller }
  | { readonly kind: "rejected"; readonly reason: "missing_token" | "wrong_token" }
  | { readonly kind: "blocked"; readonly retryMs: number };

/**
 * Decides by the token alone: neither the address nor any header lends authority. Without `presented`, by the
 * one in the `Authorization` header.
 */
export type Authenticator = (message: IncomingMessage, presented?: string) => Verdict;

export function createAuthenticator(deps: {
  readonly token: () => string;
  readonly limiter: AttemptLimiter;
}): Authenticator {
  // Equal lengths, and nothing about the token in how long the comparison takes.
  const isCurrent = (presented: Buffer): boolean => timingSafeEqual(presented, digest(deps.token()));

  // A thousand open streams ask at every event: the token is looked up once in a turn of the event loop, and
  // compared with once for as long as it stays the same.
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

  return (message, presented = bearerToken(message)) => {
    const address = remoteAddress(message);
    const retryMs = deps.limiter.blockedMs(address);
    if (retryMs > 0) return { kind: "blocked", retryMs };
    if (presented === undefined || presented === "") return { kind: "rejected", reason: "missing_token" };
    const hashed = digest(presented);
    if (!isCurrent(hashed)) {
      deps.limiter.countWrong(address);
      return { kind: "rejected", reason: "wrong_token" };
    }
    return {
      kind: "accepted",
      caller: { name: "owner", isLocalProgram: isLocalProgram(message), stillValid: watch(hashed) },
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

/**
 * Did a program on this machine send it, and not a browser or a client on the network? Headers can only make this
 * false. It gives no rights by itself: the token still decides. Limit: a tunnel that adds no header (such as ssh's)
 * counts as this machine.
 */
function isLocalProgram(message: IncomingMessage): boolean {
  const { headers } = message;
  if (!/^(?:127\.|::1$)/.test(remoteAddress(message))) return false;
  return [...BROWSER_HEADERS, ...PROXY_HEADERS].every((name) => headers[name] === undefined);
}
