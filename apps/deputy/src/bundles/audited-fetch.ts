import { createIdSource, createSystemClock } from "@deputy/kit";
import type { BundleFetch } from "@deputy/bundles/node";
import { createNetAudit } from "../open-turns.ts";
import { createRedactor } from "@deputy/secrets";
import { secretsIn, secretsOf } from "../config/secret-places.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";

/** The largest file of a bundle, over a slow line: who waits sees how far it is, and it can be gone on with. */
const LIMITS = { bodyBytes: 1024 ** 3, totalMs: 6 * 3_600_000 };

/**
 * The way to registries and packages, guarded and written to the log. The log is opened with the first request, so
 * what is here already needs none. Throws `home_in_use` then, if another program has the log.
 */
export function openAuditedFetch(
  { env, warn }: Pick<Invocation, "env" | "warn">,
  home: Pick<Home, "directory" | "config">,
): BundleFetch & AsyncDisposable {
  const closing = new AsyncDisposableStack();
  let opened: Promise<BundleFetch> | undefined;
  const open = async (): Promise<BundleFetch> => {
    const { createGuardedFetch } = await import("@deputy/net/node");
    const clock = createSystemClock();
    const { directory, config } = home;
    const store = closing.use(await openStore({ directory, clock, ids: createIdSource({ clock }), warn }));
    const redactor = createRedactor([...secretsIn(env), ...secretsOf(config, env, directory)]);
    const audit = closing.use(createNetAudit({ log: store.log, redactor, warn }));
    // Those that the user named may be the user's own; what a registry names may not.
    const named = [config.bundles.npm, ...Object.values(config.bundles.registries).map(({ at }) => at)];
    const allowPrivate = named.flatMap((at) => (/^https?:/.test(at) ? [new URL(at).origin] : []));
    return createGuardedFetch({ audit: audit.note, allowPrivate, limits: LIMITS });
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> =>
    await (
      await (opened ??= open())
    )(url, init);
  return Object.assign(fetch, { [Symbol.asyncDispose]: () => closing.disposeAsync() });
}
