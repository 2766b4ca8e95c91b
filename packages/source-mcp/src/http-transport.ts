import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import type { GuardedFetch } from "@deputy/net";
import type { ToolsError } from "@deputy/tools";
import type { McpTransport } from "./mcp-transport.ts";
import { createBackgroundAuth } from "./oauth/background-auth.ts";
import { watchStreams } from "./watch-streams.ts";

export interface HttpTransportDeps {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  /**
   * `background`: what was signed in to is kept up, and nobody is asked. `interactive`: a browser is sent away where
   * it takes one.
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
