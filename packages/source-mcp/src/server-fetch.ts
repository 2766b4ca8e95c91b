import type { GuardedFetch } from "@deputy/net";
import { readBytes } from "@deputy/net";

export interface ServerFetchDeps {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  /** For the server alone; looked up for each request. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly authTimeoutMs?: number;
}

/** Where somebody signs in, nothing streams: an answer comes soon and is short, or there is none. */
const AUTH_TIMEOUT_MS = 20_000;
const AUTH_BYTES = 1024 * 1024;

/**
 * The way out to a server. What the settings give for its headers goes to its own address only, and never to
 * whoever it names for signing in; what is sent there, such as a code or a token, is not sent on to anybody else.
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
