import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import type { GuardedFetch } from "@deputy/net";
import { ToolsError } from "@deputy/tools";
import type { McpTransport } from "./mcp-transport.ts";
import { createBackgroundAuth } from "./oauth/background-auth.ts";

export interface HttpTransportDeps {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  /**
   * `background`: keeps an existing sign-in valid, and asks no one. `interactive`: sends the user's browser to sign
   * in when that is needed.
   */
  readonly auth?: { readonly mode: "background" | "interactive"; readonly provider: OAuthClientProvider };
}

const END_MS = 2_000;

/** Makes ways to a server over streamable HTTP. */
export function createHttpTransports({ url, fetch, auth }: HttpTransportDeps): () => Promise<McpTransport> {
  const background = auth?.mode === "background" ? createBackgroundAuth(auth.provider, fetch) : undefined;
  return async () => {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const authProvider = background?.provider ?? auth?.provider;
    let fault: ToolsError | undefined;
    const watched = watchStreams(background?.fetch ?? fetch, (error) => {
      fault = error;
      void transport.close();
    });
    const transport = new StreamableHTTPClientTransport(url, {
      fetch: watched,
      ...(authProvider === undefined ? {} : { authProvider }),
    });
    return {
      kind: "http",
      transport,
      fault: () => fault,
      ...(auth?.mode === "interactive"
        ? { finishAuth: (answer: URLSearchParams) => transport.finishAuth(answer) }
        : {}),
      async endSession() {
        if (transport.sessionId === undefined) return;
        const soon = new Promise<void>((resolve) => void setTimeout(resolve, END_MS));
        await Promise.race([transport.terminateSession().catch(() => undefined), soon]);
      },
    };
  };
}

/**
 * The same fetch. Calls `onTooLarge` when a streamed answer is too large: the SDK only sees that the stream ended,
 * and the caller would wait for ever.
 */
function watchStreams(fetch: GuardedFetch, onTooLarge: (error: ToolsError) => void): GuardedFetch {
  return async (target, init) => {
    const response = await fetch(target, init);
    const { body, status, statusText, headers } = response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (init?.method !== "POST" || !isStream || body === null) return response;
    return new Response(watch(body, onTooLarge), { status, statusText, headers });
  };
}

function watch(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onTooLarge: (error: ToolsError) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (error instanceof ToolsError && error.code === "response_too_large") onTooLarge(error);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
