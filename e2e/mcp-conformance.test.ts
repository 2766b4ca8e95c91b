import { createSystemClock } from "@deputy/kit";
import { defaultGatewayLimits } from "@deputy/gateway";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { createHostGuard, hostNames } from "../packages/gateway/src/guards/host-guard.ts";
import { createOriginGuard } from "../packages/gateway/src/guards/origin-guard.ts";
import { createHttpApp } from "../packages/gateway/src/http-app.ts";
import { listenOn } from "../packages/gateway/src/listen.ts";
import { createOpenStreams } from "../packages/gateway/src/open-streams.ts";
import { mcpRoutes } from "../packages/gateway/src/routes/mcp-routes.ts";
import { buildEverythingServer } from "./conformance/everything-server.ts";
import { NOT_OURS } from "./conformance/not-ours.ts";
import { runConformance, scenarioText } from "./conformance/run-conformance.ts";
import { PLUGIN, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

/** Our routes and guards as the gateway puts them together, over the server that the suite expects. */
async function serveEverything(): Promise<string> {
  const clock = createSystemClock();
  const stopping = new AbortController();
  let names: ReadonlySet<string> = new Set();
  const limits = defaultGatewayLimits;
  const bugs: unknown[] = [];
  const origins = createOriginGuard([]);
  const server = createHttpApp({
    routes: mcpRoutes({
      load: async () => buildEverythingServer,
      clock,
      limits,
      stopping: stopping.signal,
    }),
    guards: [
      createHostGuard({ allowedHosts: () => names, hookHosts: () => new Set() }),
      origins.refuseOtherOrigins,
    ],
    origins,
    bearer: async () => ({
      name: "owner",
      isLocalProgram: true,
      isOnThisMachine: true,
      stillValid: () => true,
    }),
    clock,
    limits,
    streams: createOpenStreams(limits),
    stopping: stopping.signal,
    onBug: (error) => void bugs.push(error),
  });
  const { url, port } = await listenOn(server, { host: "127.0.0.1", port: 0 }, stopping.signal);
  names = hostNames("127.0.0.1", port, []);
  onTestFinished(async () => {
    stopping.abort();
    server.close().closeAllConnections();
    expect(bugs).toEqual([]);
  });
  return `${url}/mcp`;
}

test("[E116] our routes pass every server scenario of 2026-07-28, over the server that the suite expects", async () => {
  const { scenarios, missed } = await runConformance(await serveEverything(), "2026-07-28", TOKEN);
  expect(missed).toEqual([]);
  expect(scenarios).toHaveLength(40);
});

test("[E116] our routes pass every server scenario of 2025-11-25, over the server that the suite expects, except resumable streams", async () => {
  const { scenarios, missed } = await runConformance(await serveEverything(), "2025-11-25", TOKEN);
  // `task_result` returns what was lost with a stream; the suite itself does not require these.
  expect(missed).toEqual([
    "server-sse-polling:server-sse-priming-event",
    "server-sse-polling:server-sse-retry-field",
  ]);
  expect(scenarios).toHaveLength(33);
});

test.each([
  {
    revision: "2025-11-25",
    passes: [
      "dns-rebinding-protection",
      "ping",
      "prompts-list",
      "resources-list",
      "server-initialize",
      "server-session-lifecycle",
      "server-sse-multiple-streams",
      "tools-list",
    ],
  },
  {
    revision: "2026-07-28",
    passes: [
      "caching",
      "dns-rebinding-protection",
      "http-header-validation",
      "input-required-result-unsupported-methods",
      "input-required-result-validate-input",
      "prompts-list",
      "resources-list",
      "sep-2164-resource-not-found",
      "server-sse-multiple-streams",
      "tools-list",
    ],
  },
])("[E116] the daemon passes the scenarios of $revision about what it has", async ({ revision, passes }) => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const { scenarios, missed } = await runConformance(`${daemon.url}/mcp`, revision, TOKEN);
  const reasons = NOT_OURS[revision] ?? [];
  const excused = reasons.map(({ check }) => check);
  // All of these passed above, over the server that the suite expects.
  expect(missed).toEqual(excused.toSorted());
  const passed = scenarios.filter((name) => !missed.some((check) => check.startsWith(`${name}:`)));
  expect(passed.toSorted()).toEqual(passes);
  // A reason is true only if the suite asks for that thing, and the daemon does not have it.
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", daemon.url), { requestInit }));
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  await client.close();
  const ours = [...tools, ...prompts, ...resources].map((thing) => ("uri" in thing ? thing.uri : thing.name));
  expect(ours.length).toBeGreaterThan(0);
  for (const reason of reasons) {
    if (!("needs" in reason)) continue;
    const { check, needs } = reason;
    expect(scenarioText(check.slice(0, check.indexOf(":"))), check).toContain(needs);
    expect(ours).not.toContain(needs);
  }
  expect(JSON.stringify(tools)).not.toContain("x-mcp-header");
});
