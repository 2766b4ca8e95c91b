import { refused } from "./judge-url.ts";
import { headersForOthers } from "./request-headers.ts";

/** A request with its body in memory, so that it can be sent again. */
export interface NetRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** The target of a redirect; undefined if the answer is not a redirect. */
export function locationOf(status: number, headers: Headers): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? (headers.get("location") ?? undefined) : undefined;
}

/** The next request. Throws `address_refused` for one that must not be sent. */
export function followRedirect(request: NetRequest, status: number, location: string): NetRequest {
  const url = URL.parse(location, request.url);
  if (url === null) throw refused(`${request.url.host} redirects to an invalid address`);
  if (url.hash === "") url.hash = request.url.hash;
  if (request.url.protocol === "https:" && url.protocol === "http:")
    throw refused(`${request.url.host} redirects to ${url.host} without encryption`);
  const { method } = request;
  const becomesGet =
    (status === 303 && method !== "GET" && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST");
  const isSameOrigin = url.origin === request.url.origin;
  if (!isSameOrigin && !becomesGet && method !== "GET" && method !== "HEAD")
    throw refused(`${request.url.host} redirects a change to ${url.host}, another place`);
  const headers = isSameOrigin ? new Headers(request.headers) : headersForOthers(request.headers);
  if (!becomesGet) return { ...request, url, headers };
  for (const name of ["content-type", "content-encoding", "content-language", "content-location"])
    headers.delete(name);
  return { method: "GET", url, headers, body: undefined };
}
