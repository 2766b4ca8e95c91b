import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { GuardedFetch } from "@deputy/net";

type UnauthorizedContext = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

export interface BackgroundAuth {
  readonly provider: AuthProvider;
  /** Must carry the requests that the provider is for: so it is known which token was refused. */
  readonly fetch: GuardedFetch;
}

/**
 * Keeps a sign-in valid: tokens are refreshed by one request for all callers, and no one is asked. The provider
 * rejects with `UnauthorizedError` when the user has to sign in.
 */
export function createBackgroundAuth(oauth: OAuthClientProvider, fetch: GuardedFetch): BackgroundAuth {
  const sentWith = new WeakMap<Response, string | null>();
  let refreshing: Promise<void> | undefined;
  const token = async (): Promise<string | undefined> => (await oauth.tokens())?.access_token;

  const refresh = async ({ response, serverUrl, fetchFn }: UnauthorizedContext): Promise<void> => {
    const { auth, extractWWWAuthenticateParams, UnauthorizedError } =
      await import("@modelcontextprotocol/client");
    // Without one it would register Deputy again, only to find that no user can sign in here.
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
        // Somebody else has refreshed it meanwhile.
        if (typeof sent === "string" && sent !== `Bearer ${await token()}`) return;
        refreshing ??= refresh(context).finally(() => {
          refreshing = undefined;
        });
        await refreshing;
      },
    },
  };
}
