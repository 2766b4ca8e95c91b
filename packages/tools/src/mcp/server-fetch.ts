import type { GuardedFetch } from "../net/guarded-fetch.ts";

export interface ServerFetchDeps {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  /** For the server alone; looked up for each request. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly authTimeoutMs?: number;
}

/** Where somebody signs in, nothing streams: an answer comes soon or not at all. */
const AUTH_TIMEOUT_MS = 20_000;

/**
 * The way out to a server. What the settings give for its headers goes to its own address only, and never to
 * whoever it names for signing in.
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
    return await fetch(at, { ...init, signal });
  };
}
