import { expect, test } from "vitest";
import { LISTING_LIMITS } from "../listing.ts";
import {
  type Handler,
  HANDLED,
  live,
  look,
  openPinned,
  serveByHand,
  tool,
  transportsTo,
} from "./mcp.fixture.ts";

const deep = (depth: number): object => {
  let schema: object = { type: "string" };
  for (let at = 0; at < depth; at++) schema = { type: "array", items: schema };
  return schema;
};

test.each<[string, string, Handler]>([
  [
    "without end",
    "mcp_invalid",
    ({ cursor }) => ({ tools: [tool(`t${String(cursor)}`)], nextCursor: `${String(cursor)}x` }),
  ],
  ["that goes in circles", "mcp_invalid", () => ({ tools: [tool("a")], nextCursor: "again" })],
  [
    "of too many tools",
    "mcp_invalid",
    () => ({ tools: Array.from({ length: LISTING_LIMITS.tools + 1 }, (_, n) => tool(`t${n}`)) }),
  ],
  [
    "of too many bytes",
    "mcp_invalid",
    ({ cursor = 0 }) => ({
      tools: [tool(`t${Number(cursor)}`, { description: "x".repeat(8_000_000) })],
      nextCursor: String(Number(cursor) + 1),
    }),
  ],
  ["that is not a list", "mcp_invalid", () => ({ tools: "all of them" })],
  [
    "that is not JSON",
    "mcp_invalid",
    (_params, { response }) => (
      response.writeHead(200, { "content-type": "application/json" }).end("{ tools"),
      HANDLED
    ),
  ],
  [
    "as a page",
    "mcp_invalid",
    (_params, { response }) => (
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>tools</h1>"),
      HANDLED
    ),
  ],
  [
    "behind an error",
    "mcp_unreachable",
    (_params, { response }) => (response.writeHead(500).end("no"), HANDLED),
  ],
  [
    "that stops in the middle",
    "mcp_unreachable",
    (_params, { response }) => (
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write("{"),
      response.destroy(),
      HANDLED
    ),
  ],
  [
    "elsewhere, in a private network",
    "mcp_unreachable",
    (_params, { response }) => (
      response.writeHead(307, { location: "http://127.0.0.1:9/mcp" }).end(),
      HANDLED
    ),
  ],
  [
    "at the metadata service",
    "mcp_unreachable",
    (_params, { response }) => (
      response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
      HANDLED
    ),
  ],
])("[TM9] reports a list %s as a clear error", async (_what, code, list) => {
  const server = await serveByHand({ "tools/list": list });
  await expect(look(server.transports)).rejects.toMatchObject({ name: "ToolsError", code });
});

test("[TM9] leaves out and reports a tool whose schema is too deep or too large, or whose name is too long", async () => {
  const server = await serveByHand({
    "tools/list": () => ({
      tools: [
        tool("fine", { execution: { taskSupport: "optional" } }),
        tool("deep", { inputSchema: { type: "object", properties: { a: deep(200) } } }),
        tool("deeper", { inputSchema: { type: "object", properties: { a: deep(1_000) } } }),
        tool("deep_outside", { outputSchema: { type: "object", properties: { a: deep(1_000) } } }),
        tool("large", { inputSchema: { type: "object", description: "x".repeat(600_000) } }),
        tool("n".repeat(1_000)),
        tool("text", { inputSchema: { type: "string" } }),
        tool("odd", { title: 3 }),
        tool("slow", { execution: { taskSupport: "required" } }),
        "no tool at all",
      ],
    }),
  });
  const { definitions, refused } = await look(server.transports);
  expect(definitions.map(({ name }) => name)).toEqual(["fine"]);
  expect(refused.map(({ reason }) => reason)).toEqual([
    "it is nested too deeply",
    "it is nested too deeply",
    "it is nested too deeply",
    "its schema is too large",
    "its name is too long",
    "its input is not an object",
    "its definition is not valid",
    "it can only be called as a task of MCP's own, and Deputy has none of these",
    "it has no name",
  ]);
});

test("[TM9] leaves out a tool with a bottomless schema, and keeps the others", async () => {
  const bottomless = `${'{"items":'.repeat(50_000)}{}${"}".repeat(50_000)}`;
  const server = await serveByHand({
    "tools/list"(_params, { id, response }) {
      const list = `{"tools":[${JSON.stringify(tool("fine"))},{"name":"deep","inputSchema":{"type":"object","properties":${bottomless}}}]}`;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${list}}`);
      return HANDLED;
    },
  });
  const { definitions, refused } = await look(server.transports);
  expect(definitions.map(({ name }) => name)).toEqual(["fine"]);
  expect(refused).toEqual([{ name: "deep", reason: "it is nested too deeply" }]);
});

test("[TM9] checks recursive schemas and slow patterns in no time", async () => {
  const inputSchema = {
    type: "object",
    $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } },
    properties: {
      loop: { $ref: "#/$defs/a" },
      text: { type: "string", pattern: "^(a+)+$" },
      far: { $ref: "http://127.0.0.1:9/x" },
    },
  };
  const server = await serveByHand({ "tools/list": () => ({ tools: [tool("get_it", { inputSchema })] }) });
  const { get, catalogue } = await openPinned(server.transports);
  expect(get("shop.get_it").parseInput({ loop: [1], text: `${"a".repeat(50_000)}!`, far: 1 })).toMatchObject({
    kind: "invalid",
  });
  expect(catalogue.declarations()).toContain("get_it");
});

/** Answers badly once, and well from then on. */
async function serveOnceBad(bad: Handler) {
  let isBad = true;
  return await serveByHand({
    "tools/list": () => ({ tools: [tool("get_price"), tool("buy", { description: "Buys" })] }),
    "tools/call"(params, exchange) {
      if (!isBad) return { content: [{ type: "text", text: "fine" }] };
      isBad = false;
      return bad(params, exchange);
    },
  });
}

test.each<[string, string, Handler]>([
  ["says nothing", "mcp_timeout", () => HANDLED],
  [
    "drips",
    "mcp_timeout",
    (_params, { response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const drip = setInterval(() => response.write(": still there\n\n"), 20);
      response.once("close", () => clearInterval(drip));
      return HANDLED;
    },
  ],
  ["hangs up", "mcp_disconnected", (_params, { response }) => (response.destroy(), HANDLED)],
  [
    "talks nonsense",
    "mcp_invalid",
    (_params, { response }) => (
      response.writeHead(200, { "content-type": "application/json" }).end("[[["),
      HANDLED
    ),
  ],
  [
    "sends a page",
    "mcp_invalid",
    (_params, { response }) => (response.writeHead(200, { "content-type": "text/html" }).end("<p>"), HANDLED),
  ],
])(
  "[TM6] after a server that %s, a read has failed, other calls are unknown, and the next call works",
  async (_what, code, bad) => {
    for (const [path, expected] of [
      ["shop.get_price", code],
      ["shop.buy", "outcome_unknown"],
    ] as const) {
      const server = await serveOnceBad(bad);
      const shop = await openPinned(server.transports, { limits: { silentMs: 300 } });
      await expect(shop.call(path)).rejects.toMatchObject({ name: "ToolsError", code: expected });
      expect(await shop.call(path)).toMatchObject({ text: "fine" });
    }
  },
);

test.each(["application/json", "text/event-stream"])(
  "[TM9] an answer as %s that is too large is an error that names the limit; the next call works",
  async (type) => {
    const server = await serveOnceBad((_params, { id, response }) => {
      const result = { content: [{ type: "text", text: "x".repeat(200_000) }] };
      const body = JSON.stringify({ jsonrpc: "2.0", id, result });
      response.writeHead(200, { "content-type": type });
      response.end(type === "application/json" ? body : `data: ${body}\n\n`);
      return HANDLED;
    });
    const shop = await openPinned(transportsTo(server.url, { bodyBytes: 100_000 }));
    await expect(shop.call("shop.get_price")).rejects.toMatchObject({
      code: "mcp_invalid",
      message: expect.stringContaining("sends more than 100000 bytes"),
    });
    expect(await shop.call("shop.get_price")).toMatchObject({ text: "fine" });
  },
);

test("[TM6] an aborted call ends at once, and its server is told", async () => {
  const started = Promise.withResolvers<void>();
  const server = await serveOnceBad(() => (started.resolve(), HANDLED));
  const shop = await openPinned(server.transports);
  const stop = new AbortController();
  const call = shop.call("shop.get_price", {}, { signal: stop.signal });
  await started.promise;
  stop.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  expect(await shop.call("shop.get_price")).toMatchObject({ text: "fine" });
  expect(server.seen.map(({ method }) => method)).toContain("notifications/cancelled");
  expect(live.aborted).toBe(false);
});
