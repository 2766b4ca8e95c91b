import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { GatewayError } from "../gateway-error.ts";
import type { Guard } from "./host-guard.ts";

/**
 * Which pages may ask for something: our own, by the exact address that it was loaded from, and those that the settings
 * name. Programs without a browser send no origin.
 */
export interface OriginGuard {
  /**
   * Refuses requests that could change something, unless such a page or a program sent them. Runs after the host guard,
   * so the Host header is known to be ours.
   */
  readonly refuseOtherOrigins: Guard;
  /** The same for a WebSocket, which is requested by GET and yet can change something. */
  readonly refuseOtherPages: Guard;
  /** The headers by which a browser lets a page of the settings read the answer; empty for all others. */
  corsHeaders(message: IncomingMessage): Readonly<Record<string, string>>;
  /** The headers that answer such a page's preflight; undefined if the request is not one. */
  preflightHeaders(
    message: IncomingMessage,
    methods: () => readonly string[],
  ): Readonly<Record<string, string>> | undefined;
}

/** The headers that our clients send, including MCP's and OpenAI's. A browser gets no permission for others. */
const REQUEST_HEADERS =
  "authorization, content-type, accept, last-event-id, idempotency-key, mcp-protocol-version, mcp-session-id";
const EXPOSED_HEADERS = "retry-after, mcp-session-id, mcp-protocol-version, x-should-retry, www-authenticate";
const PREFLIGHT_SECONDS = "600";

/** Throws a plain error for an invalid origin, because the settings are checked before. */
export function createOriginGuard(origins: readonly string[]): OriginGuard {
  const further = new Set(origins.map((origin) => origin.replace(/\/$/, "")));
  for (const origin of further) if (!isOrigin(origin)) throw new Error(`${origin} is not an origin`);
  const furtherOrigin = ({ headers }: IncomingMessage): string | undefined =>
    headers.origin !== undefined && further.has(headers.origin) ? headers.origin : undefined;

  const refuseOtherPages: Guard = (message) => {
    if (furtherOrigin(message) !== undefined || isOwn(message.headers)) return;
    throw new GatewayError("origin_not_allowed", "Only Deputy's own page and local programs may do this", {
      hint: "The setting gateway.origins names other pages that may.",
    });
  };
  const corsHeaders = (message: IncomingMessage): Readonly<Record<string, string>> => {
    if (further.size === 0) return {};
    const origin = furtherOrigin(message);
    // Caches must not give one page the answer to another.
    if (origin === undefined) return { vary: "Origin" };
    return {
      vary: "Origin",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED_HEADERS,
    };
  };
  return {
    refuseOtherPages,
    refuseOtherOrigins(message) {
      if (message.method === "GET" || message.method === "HEAD") return;
      refuseOtherPages(message);
    },
    corsHeaders,
    preflightHeaders(message, methods) {
      const { method, headers } = message;
      if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return undefined;
      if (furtherOrigin(message) === undefined) return undefined;
      return {
        "access-control-allow-methods": methods().join(", "),
        "access-control-allow-headers": REQUEST_HEADERS,
        "access-control-max-age": PREFLIGHT_SECONDS,
        // A page on the web that the settings name may reach this machine.
        ...(headers["access-control-request-private-network"] === undefined
          ? {}
          : { "access-control-allow-private-network": "true" }),
      };
    },
  };
}

/** Exactly as a browser writes it: scheme, host, and the port unless it is the scheme's own. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]*$/.test(text) && URL.parse(text)?.origin === text;
}

/** The gateway speaks HTTP, so its page's origin is `http:`; another scheme at the same port is another site. */
export function isOwn({ origin, host, "sec-fetch-site": site = "none" }: IncomingHttpHeaders): boolean {
  // `same-site` is refused too: another local port is the same site, but not our page.
  if (site !== "none" && site !== "same-origin") return false;
  return origin === undefined || (host !== undefined && origin === `http://${host.toLowerCase()}`);
}
