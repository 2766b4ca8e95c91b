import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCatalogue, type ToolSource } from "@deputy/tools";
import { declineListing, withOffered } from "../review.ts";
import { pinServer } from "../compare-listing.ts";
import {
  clock,
  contextOf,
  HANDLED,
  type Handler,
  look,
  openFrom,
  serveByHand,
  sha256,
  TARGET,
  tool,
} from "./mcp.fixture.ts";
import { createPinFile } from "./pin-file.ts";

const OTHER = tool("get_price", { description: "Gets it, and your keys" });
const text = (result: string) => ({ content: [{ type: "text", text: result }] });

/** A server in use by this process, and a second process that can review and approve it. */
async function setUp(handlers: Readonly<Record<string, Handler>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "deputy-live-pins-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "mcp", "shop.json");
  const offer = { tools: [tool("get_price"), tool("get_stock")] };
  const server = await serveByHand({
    "tools/list": () => ({ tools: offer.tools }),
    "tools/call": ({ name }) => text(`${String(name)} was called`),
    ...handlers,
  });
  const elsewhere = createPinFile(file);
  const agree = async () =>
    pinServer({ store: elsewhere, sha256, clock }, TARGET, await look(server.transports));
  const decline = async () =>
    declineListing({ store: elsewhere, sha256 }, TARGET, await look(server.transports));
  const open = () => openFrom(createPinFile(file), server.transports);
  const count = (method: string): number => server.seen.filter((one) => one.method === method).length;
  return { file, offer, server, agree, decline, open, count };
}

const callIn = (source: ToolSource, path: string): Promise<unknown> => {
  const found = createCatalogue([source]).get(path);
  return found === undefined ? Promise.reject(new Error("none")) : found.run({}, contextOf());
};
const paths = (source: ToolSource | undefined): readonly string[] =>
  createCatalogue(source === undefined ? [] : [source])
    .list()
    .map(({ path }) => path);

test("[TM3] a tool that a server offers only while it runs can be approved, and is callable once it offers it again", async () => {
  // The server of a local command: each connection begins anew.
  let listings = 0;
  const { offer, server, agree, open, file } = await setUp({
    "tools/list": () => ({ tools: listings++ === 0 ? offer.tools.slice(0, 1) : offer.tools }),
    initialize: ({ protocolVersion }) => {
      listings = 0;
      return {
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "by-hand", version: "1" },
      };
    },
    "tools/call": ({ name }, { id, response }) => {
      const say = (message: object): void =>
        void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
      response.writeHead(200, { "content-type": "text/event-stream" });
      say({ method: "notifications/tools/list_changed" });
      say({ id, result: text(`${String(name)} was called`) });
      response.end();
      return HANDLED;
    },
  });
  await agree();
  const shop = open();
  await callIn(shop.source.source, "shop.get_price");
  const store = createPinFile(file);
  await vi.waitFor(() => expect(store.read()?.changes).toMatchObject([{ kind: "new" }]));
  const fresh = await look(server.transports);
  expect(fresh.definitions.map(({ name }) => name)).toEqual(["get_price"]);
  const offered = withOffered(fresh, store.read(), TARGET);
  expect(withOffered(fresh, store.read(), sha256("another target"))).toBe(fresh);
  pinServer({ store, sha256, clock }, TARGET, offered);
  const renewed = shop.source.source.renewed?.() ?? shop.source.source;
  expect(paths(renewed)).toEqual(["shop.get_price", "shop.get_stock"]);
  // A fresh server does not offer it before it was used.
  await expect(callIn(renewed, "shop.get_stock")).rejects.toMatchObject({
    code: "mcp_tool_disabled",
    message: expect.stringContaining("shop does not offer it now"),
  });
  await callIn(renewed, "shop.get_price");
  await vi.waitFor(async () =>
    expect(await callIn(renewed, "shop.get_stock")).toMatchObject({ text: "get_stock was called" }),
  );
});

test("[TM3] GC46 an approval in another process counts from the next renewal on, with a new connection", async () => {
  const { offer, agree, open, count } = await setUp();
  const shop = open();
  const { source } = shop.source;
  expect(paths(source)).toEqual([]);
  await agree();
  const first = source.renewed?.();
  expect(paths(first)).toEqual(["shop.get_price", "shop.get_stock"]);
  expect(first?.renewed?.()).toBe(first);
  expect(await callIn(first ?? source, "shop.get_price")).toMatchObject({ text: "get_price was called" });

  offer.tools = [OTHER, tool("get_stock"), tool("get_size")];
  await agree();
  const looked = count("initialize");
  const second = first?.renewed?.() ?? source;
  expect(second).not.toBe(first);
  expect(paths(second)).toEqual(["shop.get_price", "shop.get_size", "shop.get_stock"]);
  expect(await callIn(second, "shop.get_price")).toMatchObject({ text: "get_price was called" });
  expect(count("initialize")).toBe(looked + 1);

  // A running turn may still have the older tool, which nobody approves any more.
  await expect(callIn(first ?? source, "shop.get_price")).rejects.toMatchObject({
    code: "mcp_tool_disabled",
    message: expect.stringContaining("the next turn uses that one"),
  });
  expect(await callIn(first ?? source, "shop.get_stock")).toMatchObject({ text: "get_stock was called" });
});

test("[TM3] GC46 a change that another process declined cannot be called here, even if unseen", async () => {
  const { offer, agree, decline, open, count } = await setUp();
  await agree();
  const shop = open();
  await shop.call("shop.get_price");
  offer.tools = [OTHER, tool("get_stock")];
  await decline();
  const price = shop.get("shop.get_price");
  expect(price.parseInput({})).toMatchObject({ kind: "invalid", code: "mcp_tool_disabled" });
  await expect(shop.call("shop.get_price")).rejects.toMatchObject({ code: "mcp_tool_disabled" });
  expect(count("tools/call")).toBe(1);
  expect(await shop.call("shop.get_stock")).toMatchObject({ text: "get_stock was called" });
});

test.each([
  ["taken away", (file: string) => rmSync(file), "you have not approved"],
  ["damaged", (file: string) => writeFileSync(file, "{"), "cannot be read"],
])("[TM3] GC46 with its pins %s, nothing of a server can be used", async (_what, spoil, why) => {
  const { file, server, agree, open, count } = await setUp({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "by-hand", version: "1" },
    }),
    "resources/list": () => ({ resources: [] }),
  });
  await agree();
  const shop = open();
  await shop.call("shop.get_price");
  await shop.call("shop.resources.list");
  const { length } = server.seen;
  spoil(file);
  for (const path of ["shop.get_price", "shop.resources.list"])
    await expect(shop.call(path), path).rejects.toMatchObject({
      code: "mcp_tool_disabled",
      message: expect.stringContaining(why),
    });
  expect(server.seen).toHaveLength(length);
  rmSync(file, { force: true });
  await agree();
  expect(await shop.call("shop.get_stock")).toMatchObject({ text: "get_stock was called" });
  expect(count("tools/call")).toBe(2);
});

test("[TM3] reports pins that are damaged at the start, and uses them once they are mended", async () => {
  const { file, agree, open } = await setUp();
  await agree();
  writeFileSync(file, "{");
  const { source, warnings } = open();
  expect(paths(source.source)).toEqual([]);
  expect(warnings.join()).toContain("does not hold what Deputy wrote there");
  rmSync(file);
  await agree();
  expect(paths(source.source.renewed?.())).toEqual(["shop.get_price", "shop.get_stock"]);
});

/** Reports a change this many times, then answers. */
const tellAndAnswer =
  (times: number, change: () => void): Handler =>
  (_params, { id, response }) => {
    change();
    const told = Array.from({ length: times }, () => ({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
    }));
    const events = [...told, { jsonrpc: "2.0", id, result: text("once") }];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    return HANDLED;
  };

test("[TM3] GC46 a change during a call counts even if the server did not announce such notices", async () => {
  const world = await setUp({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "by-hand", version: "1" },
    }),
    "tools/call": tellAndAnswer(1, () => void (world.offer.tools = [OTHER])),
  });
  await world.agree();
  const shop = world.open();
  expect(await shop.call("shop.get_price")).toMatchObject({ text: "once" });
  await expect(shop.call("shop.get_price")).rejects.toMatchObject({ code: "mcp_tool_disabled" });
  expect(world.count("tools/call")).toBe(1);
});

test("[TM9] lists a server a few times for a thousand change notices, and fails if they never stop", async () => {
  const world = await setUp({ "tools/call": tellAndAnswer(1_000, () => undefined) });
  await world.agree();
  const shop = world.open();
  const before = world.count("tools/list");
  await shop.call("shop.get_price");
  await shop.call("shop.get_stock");
  expect(world.count("tools/list") - before).toBeLessThan(20);

  const restless = await setUp({
    "tools/list": (_params, { id, response }) => {
      const events = [
        { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
        { jsonrpc: "2.0", id, result: { tools: [tool("get_price")] } },
      ];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
      return HANDLED;
    },
  });
  await expect(look(restless.server.transports)).rejects.toMatchObject({
    code: "mcp_invalid",
    message: expect.stringContaining("again and again"),
  });
  expect(restless.count("tools/list")).toBeLessThan(10);
});
