import { createIdSource, createSystemClock } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import type { BundleFetch } from "@deputy/bundles/node";
import { createNetAudit } from "../net-audit.ts";
import { createRedactor } from "@deputy/secrets";
import { secretsIn, secretsOf } from "../config/secret-places.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";

/** The way to registries and packages. Those that the user named may be in the user's network. */
export async function fetchForBundles(
  { config }: Pick<Home, "config">,
  audit: NetAudit,
): Promise<BundleFetch> {
  const { createGuardedFetch } = await import("@deputy/net/node");
  const named = [config.bundles.npm, ...Object.values(config.bundles.registries).map(({ at }) => at)];
  const allowPrivate = named.flatMap((at) => (/^https?:/.test(at) ? [new URL(at).origin] : []));
  return createGuardedFetch({ audit, allowPrivate, limits: LIMITS });
}

/** The way of scripts, to the hosts of the settings; undefined if there are none. */
export function fetchForScripts({
  config,
}: Pick<Home, "config">): ((audit: NetAudit) => Promise<BundleFetch>) | undefined {
  const { hosts } = config.tools.shell;
  if (hosts.length === 0) return undefined;
  return async (audit) => {
    const { createGuardedFetch } = await import("@deputy/net/node");
    const { limitToHosts } = await import("@deputy/net");
    const allowPrivate = hosts.filter((host) => host.includes("://"));
    return limitToHosts(createGuardedFetch({ audit, allowPrivate }), hosts, audit);
  };
}

/** The largest file of a bundle, over a slow line: who waits sees how far it is, and it can be gone on with. */
const LIMITS = { bodyBytes: 1024 ** 3, totalMs: 6 * 3_600_000 };

/**
 * A way to the network for a command, every request written to the log. The log is opened with the first request, so
 * what is here already needs none. Throws `home_in_use` then, if another program has the log.
 */
export function openAuditedFetch(
  { env, warn }: Pick<Invocation, "env" | "warn">,
  home: Pick<Home, "directory" | "config">,
  make: (audit: NetAudit) => Promise<BundleFetch>,
): BundleFetch & AsyncDisposable {
  const closing = new AsyncDisposableStack();
  let opened: Promise<BundleFetch> | undefined;
  const open = async (): Promise<BundleFetch> => {
    const clock = createSystemClock();
    const { directory, config } = home;
    const store = closing.use(await openStore({ directory, clock, ids: createIdSource({ clock }), warn }));
    const redactor = createRedactor([...secretsIn(env), ...secretsOf(config, env, directory)]);
    const audit = closing.use(createNetAudit({ log: store.log, redactor, warn }));
    return await make(audit.note);
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> =>
    await (
      await (opened ??= open())
    )(url, init);
  return Object.assign(fetch, { [Symbol.asyncDispose]: () => closing.disposeAsync() });
}
