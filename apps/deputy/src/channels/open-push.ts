import type { Clock } from "@deputy/kit";
import { createGuardedFetch } from "@deputy/net/node";
import { createPushChannel } from "@deputy/notify/push";
import type { Channel } from "@deputy/tasks";
import { resolveSecret } from "../config/secret-reference.ts";
import type { Home } from "../home.ts";
import { pageLinks } from "./page-links.ts";
import { openPushBrowsers } from "./push-browsers.ts";

/** Push as the settings say: ntfy if there is a topic, and every browser that wants it. */
export function openPush(
  home: Pick<Home, "directory" | "config">,
  more: {
    readonly env: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly learn: (secret: string) => void;
    /** Secrets that are not those of the settings. */
    readonly given?: { readonly topic: string; readonly token?: string | undefined } | undefined;
    /** Leaves browsers out. */
    readonly only?: "ntfy";
  },
): Channel {
  const { contact, origins, ntfy } = home.config.adapters.push;
  const secret = (reference: string, given: string | undefined) => (): string => {
    const value = given ?? resolveSecret(reference, more.env, home.directory);
    more.learn(value);
    return value;
  };
  const { server, content, topicSecret = "", token = "" } = ntfy;
  const { given } = more;
  const hasToken = given === undefined ? token !== "" : given.token !== undefined;
  const browsers = openPushBrowsers(home.directory);
  return createPushChannel({
    ntfy:
      topicSecret === "" && given === undefined
        ? undefined
        : {
            server,
            content,
            topic: secret(topicSecret, given?.topic),
            token: hasToken ? secret(token, given?.token) : undefined,
          },
    web:
      more.only === "ntfy"
        ? undefined
        : {
            keys: browsers.keys,
            contact,
            subscriptions: browsers.list,
            forget: browsers.remove,
            fetch: createGuardedFetch({
              audit: () => undefined,
              allowPrivate: [...origins],
              limits: { bodyBytes: 100_000, redirects: 0 },
            }),
          },
    pageOf: pageLinks(home),
    fetch,
    clock: more.clock,
  });
}
