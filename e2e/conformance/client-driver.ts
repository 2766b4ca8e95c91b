import { createSystemClock } from "@deputy/kit";
import { type ConnectionDeps, type Listing, type OAuthSettings, type SignInStore } from "@deputy/source-mcp";
import { createHttpTransports, createServerFetch } from "@deputy/source-mcp/http";
import { createOAuthProvider } from "@deputy/source-mcp/oauth";
import { createConnection } from "@deputy/source-mcp/connection";
import { openLoopbackSignIn } from "@deputy/source-mcp/node";
import { createGuardedFetch } from "@deputy/net/node";

// What the conformance suite starts for each of its client scenarios: Deputy's own client, told what to call.
// The user of these scenarios says yes to everything, and its browser follows where it is sent.

interface Scenario {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}

const url = new URL(process.argv.at(-1) ?? "");
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Scenario;
const clock = createSystemClock();
const { signal } = new AbortController();

/** The suite's servers all listen on this machine, each at an origin of its own. */
const fetchAnywhere = (target: URL | string, init?: RequestInit): Promise<Response> =>
  createGuardedFetch({
    audit: () => undefined,
    allowPrivate: [new URL(target).origin],
    limits: { idleMs: 20_000 },
  })(target, init);

/** A browser that signs in wherever it comes to. */
async function browse(address: URL): Promise<void> {
  const there = await fetch(address, { redirect: "manual" });
  const back = there.headers.get("location");
  if (back !== null) await fetch(back);
}

const kept: { record: ReturnType<SignInStore["read"]> } = { record: undefined };
const store: SignInStore = {
  read: () => kept.record,
  write: (record) => void (kept.record = record),
};

async function run(): Promise<void> {
  await using signIn = await openLoopbackSignIn((address) => void browse(address), signal);
  const settings: OAuthSettings = {
    ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
    ...(context.client_secret === undefined ? {} : { clientSecret: () => context.client_secret ?? "" }),
    ...(scenario === "auth/basic-cimd"
      ? { clientMetadataUrl: "https://conformance-test.local/client-metadata.json" }
      : {}),
  };
  const provider = createOAuthProvider({
    name: "suite",
    url,
    settings,
    store,
    learnSecret: () => undefined,
    browser: signIn,
  });
  const deps: ConnectionDeps = {
    name: "suite",
    version: "1",
    clock,
    openTransport: createHttpTransports({
      url,
      fetch: createServerFetch({ url, fetch: fetchAnywhere, headers: () => ({}) }),
      ...(scenario.startsWith("auth/") ? { auth: { mode: "interactive", provider } } : {}),
    }),
    signedIn: () => signIn.answered(),
  };
  await using connection = createConnection(deps);
  const listing = await connection.listing(signal);

  for (const { name, arguments: args } of callsOf(listing)) {
    const toolDefinition = listing.definitions.find((one) => one.name === name);
    await connection
      .request({ signal, ask: async () => ({ kind: "accepted" }) }, (client, options) =>
        client.callTool(
          { name, arguments: { ...args } },
          { ...options, toolDefinition: toolDefinition as never },
        ),
      )
      .catch((error: unknown) => process.stderr.write(`${name}: ${String(error)}\n`));
  }
}

/** Those that the scenario names, else every tool with something for each argument. */
function callsOf({ definitions }: Listing): NonNullable<Scenario["toolCalls"]> {
  if (context.toolCalls !== undefined) return context.toolCalls;
  const [focal] = definitions;
  return definitions.map(({ name, inputSchema }) => {
    if (name === "json_schema_echo") return { name, arguments: { schema: focal?.inputSchema } };
    if (name === "add_numbers") return { name, arguments: { a: 5, b: 3 } };
    const { properties = {} } = inputSchema as { properties?: Readonly<Record<string, { type?: unknown }>> };
    const values = Object.entries(properties).map(([key, { type }]) => [key, sampleOf(type)] as const);
    return { name, arguments: Object.fromEntries(values) };
  });
}

function sampleOf(type: unknown): unknown {
  switch (type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "object":
      return {};
    case "array":
      return [];
    default:
      return "x";
  }
}

await run();
// Answers that nobody reads, such as a refusal before signing in, hold their connections open for a while.
process.exit(0);
