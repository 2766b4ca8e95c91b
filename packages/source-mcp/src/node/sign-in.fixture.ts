import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createHttpTransports } from "../http-transport.ts";
import { createOAuthProvider } from "../oauth/oauth-provider.ts";
import { inspectServer } from "../review.ts";
import { createServerFetch } from "../http-transport.ts";
import { createGuardedFetch } from "@deputy/net/node";
import { openLoopbackSignIn } from "./loopback-sign-in.ts";
import { clock, live, textOf, tool } from "./mcp.fixture.ts";
import { serveSignIn, type SignInOptions } from "./oauth.fixture.ts";
import { createSignInFile } from "./sign-in-file.ts";

/** A server that requires a token from a sign-in. */
export async function serveLocked(signIn: Awaited<ReturnType<typeof serveSignIn>>) {
  const tokens: (string | undefined)[] = [];
  const keys: unknown[] = [];
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "", origin);
      if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) {
        const metadata = { resource: `${origin}/mcp`, authorization_servers: [signIn.origin] };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
        return;
      }
      if (request.method !== "POST") {
        response.writeHead(405).end();
        return;
      }
      const body = await textOf(request);
      if (request.headers.authorization !== `Bearer ${signIn.issued.access}` || signIn.issued.access === "") {
        const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
        return;
      }
      tokens.push(request.headers.authorization);
      keys.push(request.headers["x-key"]);
      const { id, method, params } = JSON.parse(body) as {
        id?: unknown;
        method: string;
        params: { protocolVersion: string };
      };
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "locked", version: "1" },
        },
        "tools/list": { tools: [tool("get_it")] },
        "tools/call": { content: [{ type: "text", text: "got it" }] },
      };
      const reply =
        method in results ? { result: results[method] } : { error: { code: -32_601, message: "no" } };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: new URL(`${origin}/mcp`), tokens, keys };
}

/** A locked server, its sign-in, and a client that has not signed in yet. */
export async function setUpSignIn(options: SignInOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "deputy-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const signIn = await serveSignIn(options);
  const locked = await serveLocked(signIn);
  const file = join(folder, "mcp", "shop.sign-in.json");
  const learnt: string[] = [];
  const open = (url: URL, browser?: Awaited<ReturnType<typeof openLoopbackSignIn>>) => {
    const guarded = createGuardedFetch({ audit: () => undefined, allowPrivate: [url.origin, signIn.origin] });
    const fetch = createServerFetch({
      url,
      fetch: guarded,
      headers: () => ({ "x-key": "for the server" }),
      authTimeoutMs: 500,
    });
    const provider = createOAuthProvider({
      name: "shop",
      url,
      settings: {},
      store: createSignInFile(file),
      learnSecret: (value) => void learnt.push(value),
      ...(browser === undefined ? {} : { browser }),
    });
    const mode = browser === undefined ? ("background" as const) : ("interactive" as const);
    const openTransport = createHttpTransports({ url, fetch, auth: { mode, provider } });
    return {
      name: "shop",
      version: "1",
      clock,
      openTransport,
      ...(browser === undefined ? {} : { signedIn: () => browser.answered() }),
    };
  };
  /** Signs in with a browser that follows every redirect. */
  const signInNow = async (browse: (url: URL) => Promise<unknown> = follow, signal: AbortSignal = live) => {
    await using loopback = await openLoopbackSignIn((url) => void browse(url), signal);
    return await inspectServer(open(locked.url, loopback), signal);
  };
  return { signIn, locked, file, learnt, open, signInNow };
}

/** A browser that follows every redirect. */
export async function follow(url: URL): Promise<void> {
  const there = await fetch(url, { redirect: "manual" });
  await fetch(there.headers.get("location") ?? "");
}
