import type { IncomingMessage } from "node:http";
import { remoteAddress } from "./remote-address.ts";

/** A browser puts these on whatever a page sends, and no page can take them off. (Node's own `fetch` sends `sec-fetch-mode`.) */
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

/**
 * Whether a program on this machine sent it: not a browser, and nothing that came over a network. Headers
 * only ever take this away. It lends no authority by itself: the token still decides who may do anything.
 * Limit: a tunnel that adds no header (such as ssh's) counts as this machine.
 */
export function isLocalProgram(message: IncomingMessage): boolean {
  const { headers } = message;
  if (!/^(?:127\.|::1$)/.test(remoteAddress(message))) return false;
  return [...BROWSER_HEADERS, ...PROXY_HEADERS].every((name) => headers[name] === undefined);
}
