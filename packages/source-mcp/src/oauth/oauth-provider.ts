import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { ToolsError } from "@deputy/tools";
import type { SignInRecord, SignInStore } from "./sign-in-store.ts";

export interface OAuthSettings {
  /** The id of a client that is registered already; otherwise Deputy registers itself. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: (() => string) | undefined;
  /** The address of Deputy's description, for servers that read it instead of registering Deputy. */
  readonly clientMetadataUrl?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export interface OAuthProviderDeps {
  readonly name: string;
  readonly url: URL;
  readonly settings: OAuthSettings;
  readonly store: SignInStore;
  /** Called with every token. */
  readonly learnSecret: (value: string) => void;
  /** Sends the user's browser to sign in. Absent: signing in fails with `mcp_unauthorized`. */
  readonly browser?: { readonly redirectUrl: string; send(url: URL, state: string): void };
}

/**
 * Deputy as an OAuth client of one server: its tokens are sent to that server only. Each sign-in registers again,
 * because its return address is another one each time.
 */
export function createOAuthProvider(deps: OAuthProviderDeps): OAuthClientProvider {
  const { name, url, settings, store, browser, learnSecret } = deps;
  let verifier = "";
  let discovered: OAuthDiscoveryState | undefined;
  let state = "";
  let registered: StoredOAuthClientInformation | undefined;

  /** A sign-in for another address is not used for this one. */
  const read = (): SignInRecord | undefined => {
    const record = store.read();
    return record?.url === url.href ? record : undefined;
  };
  const write = (change: Partial<SignInRecord>): void =>
    store.write({ version: 1, url: url.href, ...read(), ...change });

  return {
    redirectUrl: browser?.redirectUrl ?? "http://127.0.0.1/callback",
    ...(settings.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: settings.clientMetadataUrl }),
    clientMetadata: metadataOf(browser?.redirectUrl ?? "http://127.0.0.1/callback", settings),
    state() {
      state = crypto.randomUUID();
      return state;
    },
    clientInformation() {
      const { clientId, clientSecret } = settings;
      if (clientId !== undefined)
        return {
          client_id: clientId,
          ...(clientSecret === undefined ? {} : { client_secret: clientSecret() }),
        };
      return browser === undefined ? read()?.client : registered;
    },
    // Nothing is registered in the background: if a server has moved its sign-in, the user has to sign in again.
    ...(browser === undefined ? {} : { saveClientInformation }),
    tokens() {
      const tokens = read()?.tokens as StoredOAuthTokens | undefined;
      learn(tokens);
      return tokens;
    },
    saveTokens(tokens) {
      learn(tokens);
      write({ tokens: { ...tokens } });
      // The sign-in is over; the next one looks up its address again.
      discovered = undefined;
    },
    redirectToAuthorization(address) {
      if (browser === undefined)
        throw new ToolsError("mcp_unauthorized", `${name}: it wants you to sign in`, {
          hint: `\`deputy tools auth ${name}\` does that.`,
        });
      browser.send(address, state);
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(found) {
      discovered = found;
    },
    discoveryState: () => discovered,
    invalidateCredentials(scope) {
      if (scope === "discovery" || scope === "all") discovered = undefined;
      if (scope === "client" || scope === "all") registered = undefined;
      if (scope === "tokens" || scope === "all") write({ tokens: undefined });
    },
  };

  function saveClientInformation(client: StoredOAuthClientInformation): void {
    registered = client;
    if (typeof client["client_secret"] === "string") learnSecret(client["client_secret"]);
    write({ client: { ...client } });
  }

  function learn(tokens: StoredOAuthTokens | undefined): void {
    for (const secret of [tokens?.access_token, tokens?.refresh_token])
      if (secret !== undefined && secret !== "") learnSecret(secret);
  }
}

function metadataOf(redirectUrl: string, { scopes }: OAuthSettings): OAuthClientMetadata {
  return {
    client_name: "Deputy",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    ...(scopes === undefined || scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
  };
}
