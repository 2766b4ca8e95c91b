import type { GuardedFetch } from "@deputy/net";
import { readBytes } from "@deputy/net";

export interface ServerFetchDeps {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  /** Sent to the server only; looked up for each request. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly authTimeoutMs?: number;
}

/** Sign-in endpoints do not stream: an answer comes soon and is short, or there is none. */
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
