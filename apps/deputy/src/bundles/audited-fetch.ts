import type { BundleFetch } from "@deputy/bundles/node";
import type { DaemonLink } from "@deputy/client/daemon-link";
import type { NetAudit } from "@deputy/net";
import { createRedactor } from "@deputy/secrets";
import { ToolsError, toolsErrorCodes } from "@deputy/tools";
import { secretsIn, secretsOf } from "../config/secret-places.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { createNetAudit } from "../net-audit.ts";
import type { LogDoor } from "../own-services/log-door.ts";

export interface AuditedFetch extends AsyncDisposable {
  readonly fetch: BundleFetch;
}

/**
 * A way to the network for a command, every request written to the log: the running daemon asks for it, with its own
 * settings, or it asks itself. The log is opened with the first request, so what is here already needs none. Throws
 * `home_in_use` then, if another program has the log. Disposing waits until all is written, and leaves it usable.
 */
export function openAuditedFetch(
  { env, warn }: Pick<Invocation, "env" | "warn">,
  { directory, config }: Pick<Home, "directory" | "config">,
  door: Pick<LogDoor, "open">,
  way: {
    readonly name: "scripts" | "bundles";
    readonly make: (audit: NetAudit) => Promise<BundleFetch>;
  },
): AuditedFetch {
  const append: Parameters<typeof createNetAudit>[0]["log"]["append"] = async (...entry) => {
    const opened = await door.open();
    if (opened.kind === "daemon") throw new Error("A daemon writes down what it asks for");
    return await opened.log.append(...entry);
  };
  const redactor = createRedactor([...secretsIn(env), ...secretsOf(config, env, directory)]);
  const audit = createNetAudit({ log: { append }, redactor, warn });
  let made: Promise<BundleFetch> | undefined;
  return {
    async fetch(url, init) {
      const opened = await door.open();
      if (opened.kind === "daemon") return await askDaemon(opened.link, way.name, url, init);
      made ??= way.make(audit.note);
      return await (
        await made
      )(url, init);
    },
    [Symbol.asyncDispose]: () => audit[Symbol.asyncDispose](),
  };
}

const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

async function askDaemon(
  link: Pick<DaemonLink, "call">,
  way: "scripts" | "bundles",
  url: string,
  init: RequestInit,
): Promise<Response> {
  const body =
    init.body === null || init.body === undefined
      ? undefined
      : new Uint8Array(await new Response(init.body).arrayBuffer());
  const { answer } = await link.call(
    "net.fetch",
    {
      way,
      url,
      method: init.method ?? "GET",
      headers: [...new Headers(init.headers)],
      redirects: init.redirect === "manual" ? "show" : "follow",
      ...(body !== undefined && { body: Buffer.from(body).toString("base64") }),
    },
    "once",
    init.signal ?? new AbortController().signal,
  );
  if (answer.kind === "failed")
    throw new ToolsError(
      toolsErrorCodes.find((code) => code === answer.code) ?? "http_unreachable",
      answer.message,
    );
  const { status, statusText, headers } = answer;
  const bytes = NO_BODY.has(status) ? null : new Uint8Array(Buffer.from(answer.body, "base64"));
  return new Response(bytes, { status, statusText, headers: headers.map(([name, value]) => [name, value]) });
}
