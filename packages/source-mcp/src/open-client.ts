import type * as Sdk from "@modelcontextprotocol/client";
import type { Elicitation } from "./answer-elicitation.ts";
import { toFailure } from "./failure.ts";
import { createLatestListing } from "./latest-listing.ts";
import { type Listing, listServer } from "./listing.ts";
import type { McpTransport } from "./mcp-transport.ts";

/** An open connection, and what its server offers. */
export interface OpenClient {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.Client;
  readonly way: McpTransport;
  /** The latest listing; rejects if there is none. */
  listing(): Promise<Listing>;
}

export interface OpenClientDeps {
  readonly name: string;
  readonly version: string;
  readonly openTransport: () => Promise<McpTransport>;
  readonly connectMs: number;
  readonly elicit: (question: Elicitation) => Promise<Sdk.ElicitResult>;
  readonly onListed: (listing: Listing) => void;
  readonly onClose: () => void;
  readonly signIn: SignIn;
}

/** Completes a sign-in that a failed request has begun; true if it is worth another try. */
export type SignIn = (way: McpTransport, attempt: number) => Promise<boolean>;

/** A local server that does not answer an unknown request supports only the older protocol. */
const PROBE_MS = 10_000;

/** Connects and lists. Rejects with a `ToolsError`, or as the transport does once aborted; then nothing stays open. */
export async function openClient(deps: OpenClientDeps, signal: AbortSignal): Promise<OpenClient> {
  const sdk = await import("@modelcontextprotocol/client");
  let era: "any" | "legacy" = "any";
  for (let attempt = 0; ; attempt++) {
    const way = await deps.openTransport();
    const stop = (): void => void way.transport.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await connectOnce(sdk, deps, way, era);
    } catch (error) {
      await way.transport.close().catch(() => undefined);
      if (signal.aborted) throw error;
      const fault = way.fault?.();
      if (fault !== undefined) throw fault;
      // Some older servers exit when they get an unknown request.
      const isSpoilt = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.EraNegotiationFailed;
      if (way.kind === "stdio" && isSpoilt && era === "any") era = "legacy";
      else if (!(await deps.signIn(way, attempt))) throw toFailure(sdk, deps.name, "connect", error, way);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

async function connectOnce(
  sdk: typeof Sdk,
  deps: OpenClientDeps,
  way: McpTransport,
  era: "any" | "legacy",
): Promise<OpenClient> {
  const { connectMs: timeout } = deps;
  const list = async (): Promise<Listing> => {
    const found = await listServer(client, { name: deps.name, kind: way.kind }, { timeout });
    deps.onListed(found);
    return found;
  };
  const latest = createLatestListing(deps.name, list);
  const client = new sdk.Client(
    { name: "deputy", version: deps.version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: {
        mode: "auto",
        probe: { timeoutMs: way.kind === "stdio" ? Math.min(PROBE_MS, timeout) : timeout },
      },
      jsonSchemaValidator: UNCHECKED,
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => latest.renew(),
        },
      },
    },
  );
  // Also for a server that did not announce that it sends this.
  client.setNotificationHandler("notifications/tools/list_changed", () => latest.renew());
  client.setRequestHandler("elicitation/create", async ({ params }) => await deps.elicit(params));
  await client.connect(way.transport, { timeout, ...(era === "legacy" ? { prior: { kind: era } } : {}) });
  client.onclose = deps.onClose;
  for (let attempt = 0, isListed = false; !isListed; attempt++) {
    try {
      await latest.get();
      isListed = true;
    } catch (error) {
      if (!(await deps.signIn(way, attempt))) throw error;
    }
  }
  return { sdk, client, way, listing: latest.get };
}

/** Deputy checks results itself, in bounded time, and does not compile a stranger's schema. */
const UNCHECKED: Sdk.jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};
