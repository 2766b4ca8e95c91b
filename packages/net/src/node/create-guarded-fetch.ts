import { type Clock, createSystemClock } from "@deputy/kit";
import { followRedirect, locationOf, type NetRequest } from "../follow-redirect.ts";
import { FETCH_LIMITS, type FetchLimits, type GuardedFetch, type NetAudit } from "../guarded-fetch.ts";
import { refused } from "../judge-url.ts";
import { headersForRecord, sentHeaders } from "../request-headers.ts";
import { ToolsError } from "@deputy/tools";
import { type Resolve, resolveBySystem } from "./check-addresses.ts";
import { sendOnce, type SendDeps } from "./send-once.ts";

export interface GuardedFetchDeps {
  readonly audit: NetAudit;
  /** Origins that the user named and that may be in a private network: scheme, host and port, all three. */
  readonly allowPrivate?: readonly string[];
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
  readonly clock?: Pick<Clock, "monotonicMs" | "sleep">;
}

const USER_AGENT = "Deputy";
const METHOD = /^[A-Za-z][A-Za-z-]{0,30}$/;
/** Methods that do not ask for a resource. */
const NEVER: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Throws `request_invalid` for an allowed origin that is invalid. */
export function createGuardedFetch({ allowPrivate = [], ...given }: GuardedFetchDeps): GuardedFetch {
  const own = new Set(allowPrivate.map(originOf));
  const deps: SendDeps = {
    resolve: given.resolve ?? resolveBySystem,
    clock: given.clock ?? createSystemClock(),
    limits: { ...FETCH_LIMITS, ...given.limits },
    audit: given.audit,
  };
  const { limits, clock } = deps;

  return async (url, init = {}) => {
    let request = await readRequest(url, init);
    const { redirect = "follow" } = init;
    const signal = init.signal ?? new AbortController().signal;
    const endsMs = limits.totalMs === undefined ? undefined : clock.monotonicMs() + limits.totalMs;
    let before: NetRequest | undefined;
    for (let hops = 0; ; hops += 1) {
      const { origin } = request.url;
      // No other server may redirect a request into the user's own network.
      const isOwn = own.has(origin) && (before === undefined || before.url.origin === origin);
      const response = await sendOnce(deps, request, { reach: isOwn ? "own" : "public", endsMs, signal });
      const location = locationOf(response.status, response.headers);
      if (location === undefined || redirect === "manual") return response;
      await response.body?.cancel();
      before = request;
      request = nextRequest(deps, request, response.status, location, { redirect, hops });
    }
  };
}

function nextRequest(
  { audit, limits }: SendDeps,
  request: NetRequest,
  status: number,
  location: string,
  { redirect, hops }: { readonly redirect: RequestRedirect; readonly hops: number },
): NetRequest {
  try {
    if (redirect === "error")
      throw refused(`${request.url.host} redirects, which the request does not allow`);
    if (hops >= limits.redirects) throw refused(`${request.url.host} redirects too often`);
    return followRedirect(request, status, location);
  } catch (error) {
    audit({
      method: request.method,
      host: URL.parse(location, request.url)?.host ?? "",
      requestBytes: 0,
      responseBytes: 0,
      durationMs: 0,
      verdict: "deny",
      ...(error instanceof Error ? { reason: error.message } : {}),
      headers: headersForRecord(new Headers()),
    });
    throw error;
  }
}

/** Throws `request_invalid`. The body is read now, so that it can be sent again. */
async function readRequest(address: URL | string, init: RequestInit): Promise<NetRequest> {
  const url = URL.parse(String(address));
  const method = (init.method ?? "GET").toUpperCase();
  if (url === null) throw new ToolsError("request_invalid", "The address is not a URL");
  if (!METHOD.test(method) || NEVER.has(method))
    throw new ToolsError("request_invalid", "This method may not be sent");
  const content = init.body ?? undefined;
  if (content !== undefined && (method === "GET" || method === "HEAD"))
    throw new ToolsError("request_invalid", `${method} has no body`);
  const headers = sentHeaders(new Headers(init.headers));
  if (!headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
  if (!headers.has("accept")) headers.set("accept", "*/*");
  if (content === undefined) return { method, url, headers, body: undefined };
  // A response knows the type of each kind of body, and its bytes.
  const carrier = new Response(content);
  const type = carrier.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return { method, url, headers, body: new Uint8Array(await carrier.arrayBuffer()) };
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ToolsError("request_invalid", `${text} is not an origin such as http://192.168.1.5:8123`);
  return url.origin;
}
