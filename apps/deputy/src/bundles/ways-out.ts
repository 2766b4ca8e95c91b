import type { BundleFetch } from "@deputy/bundles/node";
import type { NetAudit } from "@deputy/net";
import type { Home } from "../home.ts";

/** The largest file of a bundle, over a slow line: who waits sees how far it is, and it can be gone on with. */
const LIMITS = { bodyBytes: 1024 ** 3, totalMs: 6 * 3_600_000 };

/** The way to registries and packages. Those that the user named may be in the user's network. */
export async function fetchForBundles(
  { config }: Pick<Home, "config">,
  npm: string | undefined,
  audit: NetAudit,
  limits: Partial<typeof LIMITS> = {},
): Promise<BundleFetch> {
  const { createGuardedFetch } = await import("@deputy/net/node");
  const named = [
    ...(npm === undefined ? [] : [npm]),
    ...Object.values(config.bundles.registries).map(({ at }) => at),
  ];
  const allowPrivate = named.flatMap((at) => (/^https?:/.test(at) ? [new URL(at).origin] : []));
  return createGuardedFetch({ audit, allowPrivate, limits: { ...LIMITS, ...limits } });
}

/** The way of scripts, to these hosts and no others. */
export async function fetchForScripts(hosts: readonly string[], audit: NetAudit): Promise<BundleFetch> {
  const { createGuardedFetch } = await import("@deputy/net/node");
  const { limitToHosts } = await import("@deputy/net");
  const allowPrivate = hosts.filter((host) => host.includes("://"));
  return limitToHosts(createGuardedFetch({ audit, allowPrivate }), hosts, audit);
}
