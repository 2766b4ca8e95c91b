import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Clock, openLater } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import type { ToolSource } from "@deputy/tools";
import { openMcpSource, type Pins, pinServer } from "@deputy/source-mcp";
import { type Fetch, openApiSource } from "@deputy/source-openapi";
import { DEMO_ORIGIN, DEMO_VERSION } from "./demo-mark.ts";
import { mailboxDocument } from "./mailbox/mailbox-document.ts";
import { METRICS_TOOLS } from "./metrics/metrics-tools.ts";
import { trackerDocument } from "./tracker/tracker-document.ts";

export interface DemoDeps {
  /** The home's directory. */
  readonly home: string;
  readonly clock: Clock;
  /** The demo's own time; see `openDemoClock`. Issues are dated by the machine's, which programs go by. */
  readonly time: Pick<Clock, "now">;
  readonly audit: NetAudit;
  readonly learnSecret: (value: string) => void;
  readonly warn: (text: string) => void;
}

/** The demo's namespaces in `tools`. */
export interface DemoWorld extends AsyncDisposable {
  readonly github: ToolSource;
  readonly mail: ToolSource;
  readonly metrics: ToolSource;
}

const TOKEN_BYTES = 32;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Three services behind one server on this machine, reached like any service outside: two by their OpenAPI
 * documents, one by MCP. The server starts with the first call of a tool, and files are created with the
 * first question.
 */
export function openDemoWorld(deps: DemoDeps): DemoWorld {
  const { clock, time, audit, learnSecret } = deps;
  const folder = join(deps.home, "demo");
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  learnSecret(token);
  const services = openLater(async () => {
    const { startServices } = await import("./start-services.ts");
    return await startServices({ folder, token, clock, time, audit });
  });
  const fetch: Fetch = async (url, init) => await (await services.get()).fetch(url, init);

  const api = (name: string, document: unknown): ToolSource =>
    openApiSource(
      document,
      { name, server: `${DEMO_ORIGIN}/${name}`, auth: { type: "bearer", token: () => token } },
      { doors: { named: fetch, others: fetch }, clock, learnSecret },
    );
  const metrics = openMetrics(deps, fetch, token);
  return {
    github: api("github", trackerDocument),
    mail: api("mail", mailboxDocument),
    metrics: metrics.source,
    async [Symbol.asyncDispose]() {
      await metrics[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
    },
  };
}

function openMetrics({ clock, warn }: DemoDeps, fetch: Fetch, token: string) {
  const name = "metrics";
  const url = new URL(`${DEMO_ORIGIN}/${name}`);
  const target = sha256(url.href);
  let pins: Pins | undefined;
  const store = { read: () => pins, write: (written: Pins) => void (pins = written) };
  pinServer({ store, sha256, clock }, target, {
    server: { name: "demo-metrics", version: DEMO_VERSION },
    offers: { resources: false, prompts: false },
    definitions: METRICS_TOOLS,
    refused: [],
  });
  const openTransport = async () => {
    const { createHttpTransports, createServerFetch } = await import("@deputy/source-mcp/http");
    const passed = createServerFetch({
      url,
      fetch: async (to, init = {}) => await fetch(new URL(to), init),
      headers: () => ({ authorization: `Bearer ${token}` }),
    });
    return await createHttpTransports({ url, fetch: passed })();
  };
  return openMcpSource({ name, version: DEMO_VERSION, store, target, openTransport, clock, sha256, warn });
}
