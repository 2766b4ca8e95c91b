import type { IncomingMessage } from "node:http";
import { GatewayError } from "../gateway-error.ts";

/** A single segment: anything that the router would read as another path is not a webhook here. */
const HOOK_URL = /^\/api\/hooks\/[\w-]+(?:\?|$)/;

/** Throws `GatewayError`; runs before anything of the request is used. */
export type Guard = (message: IncomingMessage) => void;

/**
 * Lets a request through only if it names this server as a browser on this machine would. A page
 * whose domain was rebound to a local address still sends its own name, and is refused here.
 */
export function createHostGuard(deps: {
  /** Lower case, with the port unless it is 80; asked per request because the port may be chosen late. */
  readonly allowedHosts: () => ReadonlySet<string>;
  /** Lower case: names for webhooks and nothing else. */
  readonly hookHosts: () => ReadonlySet<string>;
}): Guard {
  const isNamed = (host: string, url: string): boolean =>
    deps.allowedHosts().has(host) || (HOOK_URL.test(url) && deps.hookHosts().has(host));
  return (message) => {
    const [host, ...more] = message.headersDistinct["host"] ?? [];
    const { url = "" } = message;
    // A full address in the request line would outrank the header.
    const originForm = url.startsWith("/");
    if (originForm && host !== undefined && more.length === 0 && isNamed(host.toLowerCase(), url)) return;
    throw new GatewayError("host_not_allowed", "The Host header does not name this server", {
      hint: "Use the address that `deputy serve` prints",
    });
  };
}

/** The names under which a server bound to `host` and `port` may be addressed. */
export function hostNames(host: string, port: number, extra: readonly string[]): ReadonlySet<string> {
  const own = host === "0.0.0.0" || host === "::" ? [] : [host.includes(":") ? `[${host}]` : host];
  const names = ["127.0.0.1", "localhost", "[::1]", ...own];
  const withPort = names.map((name) => `${name}:${port}`);
  return new Set([...withPort, ...(port === 80 ? names : []), ...extra].map((name) => name.toLowerCase()));
}
