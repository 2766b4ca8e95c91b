import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createConnection } from "../../mcp/connection.ts";
import { createHttpTransports } from "../../mcp/http-transport.ts";
import { createOAuthProvider } from "../../mcp/oauth/oauth-provider.ts";
import { inspectServer } from "../../mcp/review.ts";
import { createServerFetch } from "../../mcp/server-fetch.ts";
import { createGuardedFetch } from "../net/create-guarded-fetch.ts";
import { openLoopbackSignIn } from "./loopback-sign-in.ts";
import { clock, live, textOf, tool } from "./mcp.fixture.ts";
import { serveSignIn } from "./oauth.fixture.ts";
import { createSignInFile } from "./sign-in-file.ts";

/** A server that wants the token of a sign-in. */
async function serveLocked(signIn: Awaited<ReturnType<typeof serveSignIn>>) {
  const tokens: (string | undefined)[] = [];
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
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

async function setUp(options: Parameters<typeof serveSignIn>[0] = {}) {
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
  /** Signs in with a browser that goes where it is sent. */
  const signInNow = async (browse: (url: URL) => Promise<unknown> = follow, signal: AbortSignal = live) => {
    await using loopback = await openLoopbackSignIn((url) => void browse(url), signal);
    return await inspectServer(open(locked.url, loopback), signal);
  };
  return { signIn, locked, file, learnt, open, signInNow };
}

async function follow(url: URL): Promise<void> {
  const there = await fetch(url, { redirect: "manual" });
  await fetch(there.headers.get("location") ?? "");
}

test("[TM11] GC47 signing in proves who began it, comes back to one exact address on this machine, and is for this server", async () => {
  const { signIn, locked, file, learnt, signInNow } = await setUp();
  expect((await signInNow()).definitions).toHaveLength(1);
  const [asked] = signIn.at("/authorize");
  expect(asked?.query.get("code_challenge_method")).toBe("S256");
  expect(asked?.query.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(asked?.query.get("state")?.length).toBeGreaterThan(20);
  expect(asked?.query.get("resource")).toBe(locked.url.href);
  expect(new URLSearchParams(signIn.at("/token")[0]?.body).get("resource")).toBe(locked.url.href);
  // What the settings send to the server goes to nobody else, and the token is where only the user can read it.
  expect(locked.keys).toContain("for the server");
  expect(
    signIn.seen.every(({ headers }) => headers["x-key"] === undefined && headers.authorization === undefined),
  ).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("access-1");
  expect(learnt).toContain("access-1");
});

test("[TM11] GC47 an answer with another state, or by another path, is none", async () => {
  const { signInNow } = await setUp();
  const refused: number[] = [];
  const listing = await signInNow(async (url) => {
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    for (const [path, state] of [
      ["/callback", "forged"],
      ["/other", url.searchParams.get("state") ?? ""],
      ["/callback", ""],
    ] as const) {
      const forged = new URL(path, back);
      forged.searchParams.set("code", "stolen");
      forged.searchParams.set("state", state);
      refused.push((await fetch(forged)).status);
    }
    await follow(url);
  });
  expect(refused).toEqual([400, 400, 400]);
  expect(listing.definitions).toHaveLength(1);
});

test("[TM11] GC47 tokens for one address are never sent to another", async () => {
  const { signIn, open, signInNow } = await setUp();
  await signInNow();
  const other = await serveLocked(signIn);
  await expect(inspectServer(open(other.url), live)).rejects.toMatchObject({ code: "mcp_unauthorized" });
  expect(other.tokens).toEqual([]);
});

test("[TM11] in the background a token is refreshed once for all who need it, and nobody is asked", async () => {
  const { signIn, locked, open, signInNow } = await setUp();
  await signInNow();
  await using connection = createConnection(open(locked.url));
  const call = () =>
    connection.request({ signal: live }, (client, options) =>
      client.callTool({ name: "get_it", arguments: {} }, options),
    );
  await call();
  signIn.issued.access = "the old one does not count any more";
  await Promise.all([call(), call(), call(), call()]);
  const grants = signIn.at("/token").map(({ body }) => new URLSearchParams(body).get("grant_type"));
  expect(grants).toEqual(["authorization_code", "refresh_token"]);
  signIn.issued.access = "";
  signIn.issued.refresh = "";
  await expect(call()).rejects.toMatchObject({
    code: "mcp_unauthorized",
    hint: expect.stringContaining("deputy tools auth shop"),
  });
  expect(signIn.at("/register")).toHaveLength(1);
});

test("[TM11] a server that nobody has signed in to says so, and nobody is registered with it", async () => {
  const { signIn, locked, open } = await setUp();
  await expect(inspectServer(open(locked.url), live)).rejects.toMatchObject({ code: "mcp_unauthorized" });
  expect(signIn.seen).toEqual([]);
});

test.each(["metadata", "token"] as const)(
  "[TM11] a sign-in whose %s hangs ends with a clear error",
  async (hangs) => {
    const { signInNow } = await setUp({ hangs });
    await expect(signInNow()).rejects.toMatchObject({ name: "ToolsError" });
  },
);
