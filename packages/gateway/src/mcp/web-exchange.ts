import type { McpMessage } from "@deputy/protocol/mcp";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { type Answer, type BearerRequest, ClientGone, type EventFrames } from "../route.ts";

/** A message in the SDK's form: the web's `Request` and `Response`. */
export interface WebExchange {
  /** Without a body, which is already parsed. Its signal aborts when the client has left. */
  readonly request: Request;
  readonly body: McpMessage | undefined;
  readonly authInfo: AuthInfo;
}

export interface McpMessageSent {
  readonly method: "POST" | "DELETE";
  readonly body: McpMessage | undefined;
}

/** Only the protocol's own headers; in particular, not the token. */
const PASSED_ON = /^(?:accept|content-type|mcp-[\w-]+)$/;

export function toWebExchange({ method, body }: McpMessageSent, sent: BearerRequest): WebExchange {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent.headers))
    if (PASSED_ON.test(name) && typeof value === "string") headers.set(name, value);
  const request = new Request("http://deputy/mcp", { method, headers, signal: whenGone(sent.ends()) });
  return { request, body, authInfo: { token: "", clientId: sent.caller.name, scopes: [] } };
}

/** A stopping gateway does not count as a client that left: calls then end in their own way. */
function whenGone(ends: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (ends.reason instanceof ClientGone) gone.abort(ends.reason);
  };
  if (ends.aborted) leave();
  else ends.addEventListener("abort", leave, { once: true });
  return gone.signal;
}

export interface StreamOptions {
  /** `drain`: reads the stream to its end, which comes soon, even if the gateway stops. */
  readonly onStop: "drain" | "cut";
  readonly stopping: AbortSignal;
  /** Called when the stream begins to be read; returns the function to call when that ends. */
  readonly hold?: () => () => void;
}

export async function toAnswer(response: Response, options: StreamOptions): Promise<Answer> {
  const { body, status, headers } = response;
  const session = headers.get("mcp-session-id");
  const kept = session === null ? {} : { "mcp-session-id": session };
  if (body !== null && headers.get("content-type") === "text/event-stream")
    return { kind: "event_stream", headers: kept, frames: framesOf(body, options) };
  const type = headers.get("content-type");
  const typed = type === null ? kept : { ...kept, "content-type": type };
  return { kind: "reply", status, headers: typed, body: await response.text() };
}

/** The SDK hands over whole frames. */
function framesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: StreamOptions): EventFrames {
  return async function* frames(signal) {
    const release = options.hold?.();
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const cancel = (): void => void reader.cancel().catch(() => undefined);
    const leave = (): void => {
      if (options.onStop === "cut" || !options.stopping.aborted) cancel();
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      signal.removeEventListener("abort", leave);
      cancel();
      release?.();
    }
  };
}
