import { isAbort, throwIfAborted } from "@deputy/kit";
import { judgeUrl } from "@deputy/net";
import { reasonOf } from "@deputy/net";
import { NotSentError, ToolsError } from "@deputy/tools";
import type { BuiltRequest } from "./build-request.ts";
import type { HttpDoors } from "./http-doors.ts";
import type { ServerAddresses } from "./server-address.ts";

const MAX_REDIRECTS = 5;

export interface SendDeps {
  readonly doors: HttpDoors;
  readonly addresses: Pick<ServerAddresses, "isOwn" | "isNamed">;
}

/**
 * Sends a request and follows redirects. To another origin only a read goes on, without credentials and without any
 * header of the call. Rejects with `http_unreachable`, `address_refused`, or the signal's reason.
 */
export async function sendRequest(
  { doors, addresses }: SendDeps,
  request: BuiltRequest,
  signal: AbortSignal,
): Promise<Response> {
  let current = request;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await sendOnce({ doors, addresses }, current, signal);
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    current = redirected(current, response.status, location, addresses);
  }
  throw new ToolsError("address_refused", `The server redirects more than ${MAX_REDIRECTS} times`);
}

async function sendOnce(
  { doors, addresses }: SendDeps,
  { method, url, headers, body }: BuiltRequest,
  signal: AbortSignal,
): Promise<Response> {
  const isNamed = addresses.isNamed(url);
  if (!isNamed) judgeUrl(url, "public");
  const init: RequestInit = { method, headers, redirect: "manual", signal };
  try {
    return await (isNamed ? doors.named : doors.others)(url, body === undefined ? init : { ...init, body });
  } catch (cause) {
    throwIfAborted(signal);
    if (isAbort(cause)) throw cause;
    const isKnown = cause instanceof ToolsError;
    if (isKnown && (cause.code !== "http_unreachable" || cause instanceof NotSentError)) throw cause;
    const message = isKnown ? cause.message : `${url.host} cannot be reached: ${reasonOf(cause)}`;
    const isRead = method === "GET" || method === "HEAD";
    const doubt = isRead ? "" : "; whether it took effect is not known";
    throw new ToolsError("http_unreachable", `${message}${doubt}`, { cause });
  }
}

function redirected(
  request: BuiltRequest,
  status: number,
  location: string,
  { isOwn }: SendDeps["addresses"],
): BuiltRequest {
  const url = URL.parse(location, request.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ToolsError("address_refused", "The server redirects to an invalid address");
  if (request.url.protocol === "https:" && url.protocol === "http:")
    throw new ToolsError("address_refused", `The server redirects to ${url.host} without encryption`);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const becomesGet =
    !isRead && (status === 303 || ((status === 301 || status === 302) && request.method === "POST"));
  const isSameOrigin = url.origin === request.url.origin && isOwn(url);
  if (!isSameOrigin && !isRead && !becomesGet)
    throw new ToolsError("address_refused", `The server redirects a change to ${url.host}, another place`);
  const headers = isSameOrigin ? new Headers(request.headers) : new Headers();
  const accept = request.headers.get("accept");
  if (accept !== null) headers.set("accept", accept);
  if (!becomesGet) return { ...request, url, headers };
  headers.delete("content-type");
  return { method: "GET", url, headers, body: undefined };
}
