import { createIdSource, createSystemClock } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import type { BundleFetch } from "@deputy/bundles/node";
import { createNetAudit } from "../net-audit.ts";
import { createRedactor } from "@deputy/secrets";
import { secretsIn, secretsOf } from "../config/secret-places.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";

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
