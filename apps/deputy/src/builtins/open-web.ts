import type { NetAudit } from "@deputy/net";
import type { SearchProvider, WebDeps } from "@deputy/builtins";
import { resolveSecret } from "../config/secret-reference.ts";
import type { Home } from "../home.ts";

/** Everything that tools need to use the network. */
export interface NetDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly audit: NetAudit;
  /** Called with secrets that are looked up. */
  readonly learnSecret: (value: string) => void;
}

/**
 * The parts behind `tools.web`, loaded when one of the tools is called. Without `net` the tools can only be listed
 * and described.
 */
export function openWeb(home: Pick<Home, "directory" | "config">, net: NetDeps | undefined): WebDeps {
  const { webFetch, webSearch } = home.config.tools;
  return {
    fetch: once(async () => await openFetch(net, webFetch.origins)),
    search: webSearch.provider === undefined ? undefined : once(() => openSearch(home, net)),
  };
}

async function openFetch(net: NetDeps | undefined, allowPrivate: readonly string[]) {
  if (net === undefined) throw new Error("Nothing runs where nothing is audited");
  const { createGuardedFetch } = await import("@deputy/net/node");
  return createGuardedFetch({ audit: net.audit, allowPrivate });
}

async function openSearch(
  { directory, config }: Pick<Home, "directory" | "config">,
  net: NetDeps | undefined,
): Promise<SearchProvider> {
  const { provider, apiKey = "", baseUrl } = config.tools.webSearch;
  // The user named it: it may be a server of theirs.
  const fetch = await openFetch(net, baseUrl === undefined ? [] : [baseUrl]);
  const { createBraveSearch, createSearxngSearch } = await import("@deputy/builtins/search-providers");
  const key = (): string => {
    const secret = resolveSecret(apiKey, net?.env ?? {}, directory);
    net?.learnSecret(secret);
    return secret;
  };
  return provider === "searxng"
    ? createSearxngSearch({ fetch, baseUrl: baseUrl ?? "", apiKey: apiKey === "" ? undefined : key })
    : createBraveSearch({ fetch, baseUrl, apiKey: key });
}

/** A failed attempt is repeated. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return async () => {
    try {
      return await (opened ??= open());
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}
