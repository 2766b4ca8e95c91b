import { ToolsError } from "@deputy/tools";
import { followRedirect, locationOf, type NetRequest } from "./follow-redirect.ts";
import type { GuardedFetch, NetAudit } from "./guarded-fetch.ts";
import { hostKind, refused } from "./judge-url.ts";
import { headersForRecord } from "./request-headers.ts";

const MOST_REDIRECTS = 5;

/**
 * The same way out, for hosts that were named: `example.org`, `*.example.org` for all names under it, or an origin
 * such as `https://example.org:8443`. Each redirect must lead to one of them, too; a refusal is in the audit as every request is. Takes bodies of bytes only.
 */
export function limitToHosts(fetch: GuardedFetch, hosts: readonly string[], audit: NetAudit): GuardedFetch {
  const assertNamed = ({ url, method }: NetRequest): void => {
    if (hosts.some((host) => matches(host, url))) return;
    const reason = `${url.hostname} is not among the hosts that scripts may ask`;
    audit({
      method,
      host: url.host,
      requestBytes: 0,
      responseBytes: 0,
      durationMs: 0,
      verdict: "deny",
      reason,
      headers: headersForRecord(new Headers()),
    });
    throw new ToolsError("address_refused", reason, { hint: "The setting `tools.shell.hosts` names them." });
  };
  return async (address, init = {}) => {
    const url = URL.parse(String(address));
    if (url === null) throw new ToolsError("request_invalid", "The address is not a URL");
    const { method = "GET", redirect = "follow", body } = init;
    const content = body instanceof Uint8Array ? new Uint8Array(body) : undefined;
    let request: NetRequest = {
      method: method.toUpperCase(),
      url,
      headers: new Headers(init.headers),
      body: content,
    };
    for (let hops = 0; ; hops += 1) {
      assertNamed(request);
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        redirect: "manual",
        signal: init.signal ?? null,
      });
      const location = locationOf(response.status, response.headers);
      if (location === undefined || redirect === "manual") return response;
      await response.body?.cancel();
      if (redirect === "error" || hops >= MOST_REDIRECTS)
        throw refused(`${request.url.host} redirects too often`);
      request = followRedirect(request, response.status, location);
    }
  };
}

function matches(pattern: string, url: URL): boolean {
  if (pattern.includes("://")) return URL.parse(pattern)?.origin === url.origin;
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  const wanted = pattern.toLowerCase();
  // Addresses have no names under them.
  const isUnder = wanted.startsWith("*.") && hostKind(url.hostname).kind !== "address";
  return isUnder ? host.endsWith(wanted.slice(1)) : host === wanted;
}
