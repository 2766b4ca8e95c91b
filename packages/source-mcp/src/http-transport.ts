import type { OAuthClientProvider, AuthProvider } from "@modelcontextprotocol/client";
import { type GuardedFetch, readBytes } from "@deputy/net";
import { ToolsError } from "@deputy/tools";
import type { McpTransport } from "./mcp-transport.ts";

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

/** Makes transports to a server over streamable HTTP. */
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
 * The same fetch. Calls `onTooLarge` when a streamed answer is too large: the SDK only sees that the stream
 * ended, and the caller would wait forever.
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

type UnauthorizedContext = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

interface BackgroundAuth {
  readonly provider: AuthProvider;
  /** Must carry the provider's requests, so that it knows which token was refused. */
  readonly fetch: GuardedFetch;
}

/**
 * Keeps a sign-in valid: tokens are refreshed by one request for all callers, and no one is asked. The provider
 * rejects with `UnauthorizedError` when the user has to sign in.
 */
function createBackgroundAuth(oauth: OAuthClientProvider, fetch: GuardedFetch): BackgroundAuth {
  const sentWith = new WeakMap<Response, string | null>();
  let refreshing: Promise<void> | undefined;
  const token = async (): Promise<string | undefined> => (await oauth.tokens())?.access_token;

  const refresh = async ({ response, serverUrl, fetchFn }: UnauthorizedContext): Promise<void> => {
    const { auth, extractWWWAuthenticateParams, UnauthorizedError } =
      await import("@modelcontextprotocol/client");
    // Without this check it would register Deputy again, only to find that no user can sign in here.
    if ((await oauth.tokens())?.refresh_token === undefined) throw new UnauthorizedError();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const where = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
    const result = await auth(oauth, {
      serverUrl,
      fetchFn,
      ...where,
      ...(scope === undefined ? {} : { scope }),
    });
    if (result !== "AUTHORIZED") throw new UnauthorizedError();
  };

  return {
    async fetch(url, init = {}) {
      const response = await fetch(url, init);
      sentWith.set(response, new Headers(init.headers).get("authorization"));
      return response;
    },
    provider: {
      token,
      async onUnauthorized(context) {
        const sent = sentWith.get(context.response);
        // Another request has refreshed it meanwhile.
        if (typeof sent === "string" && sent !== `Bearer ${await token()}`) return;
        refreshing ??= refresh(context).finally(() => {
          refreshing = undefined;
        });
        await refreshing;
      },
    },
  };
}

interface ServerFetchDeps {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  /** Sent to the server only; looked up for each request. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly authTimeoutMs?: number;
}

/** Sign-in endpoints do not stream: an answer is short and comes soon, or never. */
const AUTH_TIMEOUT_MS = 20_000;
const AUTH_BYTES = 1024 * 1024;

/**
 * The network access to a server. Headers from the settings go to its own address only, and never to the sign-in
 * service that it names. Codes and tokens sent to that service are not passed on to any other.
 */
export function createServerFetch(deps: ServerFetchDeps): GuardedFetch {
  const { url, fetch, authTimeoutMs = AUTH_TIMEOUT_MS } = deps;
  return async (target, init = {}) => {
    const at = new URL(target);
    if (at.origin === url.origin && at.pathname === url.pathname) {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(deps.headers()))
        if (!headers.has(name)) headers.set(name, value);
      return await fetch(at, { ...init, headers });
    }
    const soon = AbortSignal.timeout(authTimeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, soon]) : soon;
    const isRead = (init.method ?? "GET").toUpperCase() === "GET";
    const response = await fetch(at, { ...init, signal, redirect: isRead ? "follow" : "error" });
    const text = new TextDecoder().decode(await readBytes(response, AUTH_BYTES, signal));
    const { status, statusText, headers } = response;
    const isBodiless = status === 204 || status === 205 || status === 304;
    return new Response(isBodiless ? null : text, { status, statusText, headers });
  };
}
