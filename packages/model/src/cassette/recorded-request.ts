import type { RecordedRequest } from "./cassette.ts";

/** The part of a request that a cassette keeps, without secrets. Bodies are text: SDKs send JSON. */
export function describeRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  redact: (text: string) => string,
): RecordedRequest {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  const body = init?.body;
  if (body !== undefined && body !== null && typeof body !== "string")
    throw new Error("a cassette holds requests with a body of text only");
  return { method: init?.method ?? "GET", path: redact(pathname + search), body: redact(body ?? "") };
}
