import type { IncomingMessage } from "node:http";
import type { PeerUid } from "./peer-uid.ts";
import { remoteAddress } from "./remote-address.ts";

/** A proxy adds one of these; behind a proxy, every client seems to be local. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

/** The client for which wrong tokens are counted. */
export interface ClientIdentity {
  /** The address, and on this machine also the user. */
  readonly key: string;
  /**
   * `self`: a program of the user that Deputy runs as, who can read the token anyway. `local`: it is on this
   * machine, and its owner is unknown.
   */
  readonly kind: "self" | "local" | "other";
}

export function createClientIdentity(deps: {
  readonly peerUid: PeerUid;
  readonly ownUid: number | undefined;
}): (message: IncomingMessage) => ClientIdentity {
  return (message) => {
    const address = remoteAddress(message);
    if (!isLoopback(address)) return { key: address, kind: "other" };
    // A proxy may pass on requests from anywhere.
    if (isProxied(message)) return { key: `${address} proxied`, kind: "other" };
    const uid = deps.peerUid(message.socket);
    if (uid === undefined) return { key: address, kind: "local" };
    return { key: `${address} uid ${uid}`, kind: uid === deps.ownUid ? "self" : "other" };
  };
}

export function isLoopback(address: string): boolean {
  return /^(?:127\.|::1$)/.test(address);
}

export function isProxied({ headers }: IncomingMessage): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined);
}
