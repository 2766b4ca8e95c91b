import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSystemClock } from "@deputy/kit";
import { onTestFinished } from "vitest";
import type { CatalogueTool } from "@deputy/tools";
import { createCatalogue } from "@deputy/tools";
import type { ConnectionLimits } from "../connection.ts";
import { createHttpTransports } from "../http-transport.ts";
import type { Listing } from "../listing.ts";
import { openMcpSource } from "../mcp-source.ts";
import type { McpTransport } from "../mcp-transport.ts";
import type { Pins, PinStore } from "../pins.ts";
import { inspectServer } from "../review.ts";
import { pinServer } from "../compare-listing.ts";
import { createServerFetch } from "../http-transport.ts";
import type { ToolContext } from "@deputy/tools";
import { createGuardedFetch } from "@deputy/net/node";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
export const clock = createSystemClock();
export const live = new AbortController().signal;
export const TARGET = sha256("the server of a test");

type Params = Readonly<Record<string, unknown>>;

/** What a fake server does with a request; it may answer by itself and return `HANDLED`. */
export type Handler = (params: Params, exchange: Exchange) => unknown;

export interface Exchange {
  readonly id: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export const HANDLED = Symbol("answered by hand");

/**
 * An older HTTP server made of handlers by method; it does not know other methods. `replies` are the answers
 * to its own questions.
 */
export async function serveByHand(handlers: Readonly<Record<string, Handler>>) {
  const seen: { method: string; params: Params; headers: IncomingMessage["headers"] }[] = [];
  const replies: unknown[] = [];
  const replied = Promise.withResolvers<void>();
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const body = JSON.parse(await textOf(request)) as { id?: unknown; method?: string; params?: Params };
    const { id, method, params = {} } = body;
    if (method === undefined) {
      replies.push(body);
      replied.resolve();
      return void response.writeHead(202).end();
    }
    seen.push({ method, params, headers: request.headers });
    if (id === undefined) return void response.writeHead(202).end();
    const handler = { ...BASICS, ...handlers }[method];
    const reply = (content: object): void =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...content }));
    if (handler === undefined) return reply({ error: { code: -32_601, message: "no such method" } });
    const result = await handler(params, { id, request, response });
    if (result !== HANDLED) reply({ result });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  return { url, seen, replies, replied: replied.promise, transports: transportsTo(url), close };
}

export function transportsTo(
  url: URL,
  limits: { readonly bodyBytes?: number } = {},
): () => Promise<McpTransport> {
  const fetch = createGuardedFetch({ audit: () => undefined, allowPrivate: [url.origin], limits });
  return createHttpTransports({ url, fetch: createServerFetch({ url, fetch, headers: () => ({}) }) });
}

const BASICS: Readonly<Record<string, Handler>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "by-hand", version: "1" },
  }),
};

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export function tool(name: string, more: object = {}) {
  return { name, description: `Gets ${name}`, inputSchema: { type: "object" }, ...more };
}

/** Pins in memory. */
export function createPinShelf(): PinStore & { pins: Pins | undefined } {
  const shelf = {
    pins: undefined as Pins | undefined,
    read: () => shelf.pins,
    write: (pins: Pins) => void (shelf.pins = structuredClone(pins)),
  };
  return shelf;
}

export async function look(
  openTransport: () => Promise<McpTransport>,
  name = "shop",
  limits: Partial<ConnectionLimits> = {},
): Promise<Listing> {
  return await inspectServer({ name, version: "1", clock, openTransport, limits }, live);
}

/** Reviews a server, approves its tools, and opens it as a source. */
export async function openPinned(
  openTransport: () => Promise<McpTransport>,
  options: { readonly name?: string; readonly limits?: Partial<ConnectionLimits> } = {},
) {
  const { name = "shop", limits } = options;
  const store = createPinShelf();
  pinServer({ store, sha256, clock }, TARGET, await look(openTransport, name));
  return { store, ...openFrom(store, openTransport, { name, ...(limits === undefined ? {} : { limits }) }) };
}

export function openFrom(
  store: PinStore,
  openTransport: () => Promise<McpTransport>,
  options: {
    readonly name?: string;
    readonly limits?: Partial<ConnectionLimits>;
    readonly target?: string;
  } = {},
) {
  const { name = "shop", limits, target = TARGET } = options;
  const warnings: string[] = [];
  const source = openMcpSource({
    name,
    version: "1",
    store,
    target,
    openTransport,
    clock,
    sha256,
    warn: (text) => void warnings.push(text),
    ...(limits === undefined ? {} : { limits }),
  });
  onTestFinished(() => source[Symbol.asyncDispose]());
  const catalogue = createCatalogue([source.source]);
  const get = (path: string): CatalogueTool => {
    const found = catalogue.get(path);
    if (found === undefined) throw new Error(`no tool ${path}`);
    return found;
  };
  const call = (path: string, input: unknown = {}, context: Partial<ToolContext> = {}): Promise<unknown> =>
    get(path).run(input, contextOf(context));
  return { source, catalogue, warnings, get, call };
}

export function contextOf(context: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: live,
    idempotencyKey: "call",
    sessionKey: "session",
    approvedBy: "user",
    progress: () => undefined,
    log: () => undefined,
    ...context,
  };
}
