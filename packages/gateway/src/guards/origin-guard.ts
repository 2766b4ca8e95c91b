import { GatewayError } from "../gateway-error.ts";
import type { Guard } from "./host-guard.ts";

/**
 * Refuses requests that could change something, unless our own page or a program without a browser sent them. Runs
 * after the host guard, so the Host header is known to be ours.
 */
export const refuseOtherOrigins: Guard = (message) => {
  if (message.method === "GET" || message.method === "HEAD") return;
  refuseOtherPages(message);
};

/** The same for what is asked for by GET and yet can change something: a WebSocket. */
export const refuseOtherPages: Guard = (message) => {
  const { origin, host } = message.headers;
  // `same-site` is refused too: another port of this machine is the same site, and not us.
  const site = message.headers["sec-fetch-site"] ?? "none";
  const ownSite = site === "none" || site === "same-origin";
  const ownOrigin =
    origin === undefined ||
    (host !== undefined && /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, "") === host);
  if (ownSite && ownOrigin) return;
  throw new GatewayError("origin_not_allowed", "Only Deputy's own page and local programs may do this");
};
