import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, startPageDaemon } from "./page-world.ts";
import { ROOT } from "./repository.ts";
import { serveSignIn } from "../packages/source-mcp/src/node/oauth.fixture.ts";
import { serveLocked } from "../packages/source-mcp/src/node/sign-in.fixture.ts";

const DOCUMENT = {
  openapi: "3.0.0",
  info: { title: "Kettle", version: "1" },
  servers: [{ url: "/" }],
  paths: {
    "/boil": {
      get: { operationId: "status", summary: "Whether it boils", responses: { 200: { description: "ok" } } },
      post: { operationId: "boil", summary: "Boils water", responses: { 200: { description: "ok" } } },
    },
  },
};

describe.skipIf(noBrowser)("tools in the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  let server: string;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
    server = join(world.home, "shelf-server.ts");
    copyFileSync(join(ROOT, "examples/mcp/shelf-server.ts"), server);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const config = () => JSON.parse(readFileSync(join(world.home, "config.json"), "utf8")) as object;
  async function open(place: string) {
    const opened = await openSignedIn(browser, world.daemon().url);
    await opened.page.goto(`${world.daemon().url}/#/${place}`);
    return opened;
  }
  const source = (page: Page, name: string) => page.locator("li.source").filter({ hasText: name });

  test("[WB54] where a conversation begins, a line says what is connected, and leads there", async () => {
    const { page, complaints } = await open("");
    await page.locator(".connected").getByText("Connected: page-plugin.ts.").waitFor();
    await page.locator(".connected").getByRole("link", { name: "See the tools" }).click();
    await source(page, "page-plugin.ts").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB16] an MCP server is looked at, agreed to, tried, changed, approved again and disconnected", async () => {
    const { page, complaints, outside } = await open("tools");
    await source(page, "page-plugin.ts").getByText("4 tools").waitFor();
    await page.getByRole("link", { name: "Connect tools" }).click();
    await page.getByLabel(/MCP server on this machine/).check();
    await page.getByLabel("Command").fill(`${process.execPath} "${server}"`);
    await page.getByLabel("Name").fill("shelf");
    const look = page.getByRole("button", { name: "See what it offers" });
    await look.click();
    await page.getByRole("heading", { name: /shelf: 2 tools/ }).waitFor();
    await page.getByText("It runs a program on this machine").waitFor();
    await page.getByText("1 makes changes").waitFor();
    expect(existsSync(join(world.home, "mcp/shelf.json"))).toBe(false);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    expect(JSON.stringify(config())).not.toContain("shelf");
    // What was typed is still there.
    await look.click();
    await page.getByRole("button", { name: "Use 2 tools" }).click();
    await source(page, "shelf").getByText("It offers 2 tools").waitFor();
    expect(config()).toMatchObject({ toolSources: [expect.anything(), { type: "mcp", name: "shelf" }] });

    // It is tried by a form, and asks like any other call.
    await page.getByLabel("Find a tool by what it does").fill("shelf.lend_book");
    await page.locator('ul.tools[aria-busy="false"]').waitFor();
    const tool = page.locator("details.tool-item").filter({ hasText: "shelf.lend_book" });
    await tool.locator("summary").first().click();
    await tool.getByText("Try it").click();
    await tool.getByLabel("title").fill("Emma");
    await tool.getByLabel("to", { exact: true }).fill("Ada");
    await tool.getByRole("button", { name: "Call shelf.lend_book" }).click();
    await tool.getByRole("button", { name: /^Approve/ }).click();
    await tool.getByText("succeeded").waitFor();
    await tool.getByText("Ada has Emma now").waitFor();
    await tool.getByLabel("Your rule").selectOption("deny");
    await tool.getByText("It counts after a restart").waitFor();
    expect(config()).toMatchObject({ policy: { rules: [{ tool: "shelf.lend_book", decision: "deny" }] } });

    // It offers something else now.
    const changed = readFileSync(server, "utf8").replace(
      "Lends a book to somebody",
      "Lends a book, and tells eve",
    );
    writeFileSync(server, changed);
    await source(page, "shelf")
      .getByRole("button", { name: /^(?:Try again|Check):/ })
      .click();
    await source(page, "shelf").getByText("1 differ from what you approved").waitFor();
    await source(page, "shelf").getByRole("button", { name: "Review" }).click();
    await page.getByText("What changed, word for word").waitFor();
    await page.getByText("+Lends a book, and tells eve").waitFor();
    await page.getByRole("button", { name: "Approve the changes" }).click();
    await source(page, "shelf").getByText("It offers 2 tools").waitFor();
    await expect.poll(() => readFileSync(join(world.home, "mcp/shelf.json"), "utf8")).toContain("tells eve");

    // A server that does not start says so, literally.
    writeFileSync(server, "process.exit(1);");
    await source(page, "shelf")
      .getByRole("button", { name: /^(?:Try again|Check):/ })
      .click();
    await source(page, "shelf").locator(".trouble").waitFor();
    await source(page, "shelf").getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await source(page, "shelf").waitFor({ state: "hidden" });
    expect(JSON.stringify(config())).not.toContain("shelf-server");
    expect(complaints).toEqual([]);
    expect(outside).toEqual([]);
  });

  test("[WB16] an OpenAPI document at an address is connected with a token that is never shown; an address without one says so", async () => {
    const api = createServer((request, response) => {
      const body = request.url === "/openapi.json" ? JSON.stringify(DOCUMENT) : "{}";
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    api.listen(0, "127.0.0.1");
    onTestFinished(() => void api.close());
    await new Promise((resolve) => api.once("listening", resolve));
    const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const { page, complaints } = await open("tools/add");
    await page.getByLabel(/OpenAPI document/).check();
    await page.getByLabel("Address", { exact: true }).fill(`${origin}/nothing`);
    await page.getByLabel("Name").fill("kettle");
    await page.getByRole("button", { name: "See what it offers" }).click();
    await page.getByRole("alert").filter({ hasText: /./ }).waitFor();
    await page.getByLabel("Address", { exact: true }).fill(`${origin}/openapi.json`);
    await page.getByLabel("Token").fill("kettle-secret-token");
    await page.getByRole("button", { name: "See what it offers" }).press("Enter");
    await page.getByRole("heading", { name: /kettle: 2 tools/ }).waitFor();
    await page.getByText(`Its calls go to ${origin}, with your credentials`).waitFor();
    await page.getByRole("button", { name: "Use 2 tools" }).press("Enter");
    await source(page, "kettle").getByText("It offers 2 tools").waitFor();
    expect(await page.content()).not.toContain("kettle-secret-token");
    expect(JSON.stringify(config())).not.toContain("kettle-secret-token");
    expect(readFileSync(join(world.home, "keys/tools-kettle"), "utf8").trim()).toBe("kettle-secret-token");
    await page.getByLabel("Find a tool by what it does").fill("kettle boils water");
    await page.locator('ul.tools[aria-busy="false"]').waitFor();
    await page.locator("details.tool-item").filter({ hasText: "kettle.boil" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB16] a server at an address that wants to know who you are is signed in to before its tools are seen", async () => {
    const own = await serveWithSignIn();
    onTestFinished(() => own.close());
    const { page, complaints } = await open("tools/add");
    await page.getByLabel("Address", { exact: true }).fill(own.address);
    await page.getByLabel("Name").fill("club");
    // Nothing was said of signing in: the server does.
    await page.getByRole("button", { name: "See what it offers" }).click();
    await page.getByRole("heading", { name: "Sign in there first" }).waitFor();
    await page.getByText(`It leads to ${new URL(own.address).host}`).waitFor();
    const signIn = async (): Promise<void> => {
      const opened = page.context().waitForEvent("page");
      await page.getByRole("link", { name: "Open the sign-in page" }).click();
      await (await opened).getByText("You can close this page").waitFor();
    };
    // Somebody says no there: nothing is kept, and what was typed is there to begin again.
    own.refuseNext();
    await signIn();
    await page.getByRole("alert").filter({ hasText: "Nothing was kept" }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "See what it offers" }).click();
    await signIn();
    await page.getByRole("heading", { name: /club: 1 tool/ }).waitFor();
    await page.getByRole("button", { name: "Use 1 tool" }).click();
    await source(page, "club").getByText("It offers 1 tool").waitFor();
    await source(page, "club").getByRole("button", { name: "Check: club" }).click();
    await source(page, "club").getByText("It offers 1 tool").waitFor();
    expect(await page.content()).not.toContain("the-access-token");

    // In the form stands what counts anyway; what nobody said is not said.
    await page.getByLabel("Find a tool by what it does").fill("club.members");
    await page.locator('ul.tools[aria-busy="false"]').waitFor();
    const tool = page.locator("details.tool-item").filter({ hasText: "club.members" });
    await tool.locator("summary").first().click();
    await tool.getByText("Try it").click();
    expect(await tool.getByLabel("seats").inputValue()).toBe("2");
    expect(await tool.getByLabel("window").isChecked()).toBe(true);
    await tool.getByLabel("room").selectOption("large");
    await tool.getByRole("button", { name: "Call club.members" }).click();
    await tool.getByText("succeeded").waitFor();
    expect(own.called()).toEqual([{ seats: 2, window: true, room: "large" }]);
    expect(complaints).toEqual([]);
  });

  test("[WB16] a server that wants to know who you are is signed in to in its own page, and then reviewed", async () => {
    const signIn = await serveSignIn();
    const locked = await serveLocked(signIn);
    const shop = { url: locked.url.href, auth: "oauth", origins: [signIn.origin] };
    writeFileSync(join(world.home, "config.json"), JSON.stringify({ ...config(), mcpServers: { shop } }));
    const { page, complaints } = await open("tools");
    await source(page, "shop").getByText("You have not reviewed the tools").waitFor();
    await source(page, "shop").getByRole("button", { name: "Review" }).click();
    await page.getByRole("heading", { name: "Sign in there first" }).waitFor();
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Open the sign-in page" }).click();
    await (await opened).getByText("You can close this page").waitFor();
    await page.getByRole("heading", { name: /shop: 1 tool/ }).waitFor();
    await page.getByRole("button", { name: "Approve the changes" }).click();
    await source(page, "shop").getByText("It offers 1 tool").waitFor();
    expect(complaints).toEqual([]);
  });
});

/** An MCP server that signs people in itself, as most of those in the world do. */
async function serveWithSignIn(): Promise<{
  readonly address: string;
  /** With what its tool was called. */
  called(): readonly unknown[];
  refuseNext(): void;
  close(): void;
}> {
  const called: unknown[] = [];
  let refuses = false;
  const inputSchema = {
    type: "object",
    required: ["seats"],
    properties: {
      seats: { type: "integer", default: 2 },
      window: { type: "boolean", default: true },
      isLoud: { type: "boolean" },
      room: { enum: ["small", "large"] },
      extras: { type: "array", items: { enum: ["tea", "cake"] } },
    },
  };
  interface Params {
    readonly protocolVersion?: string;
    readonly arguments?: unknown;
  }
  const answers: Readonly<Record<string, (params: Params) => object>> = {
    initialize: ({ protocolVersion = "" }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "club", version: "1" },
    }),
    "tools/list": () => ({
      tools: [{ name: "members", description: "Lists members", inputSchema }],
    }),
    "tools/call": ({ arguments: given }) => {
      called.push(given);
      return { content: [{ type: "text", text: "Ada" }] };
    },
  };
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "", origin);
      const body = await text(request);
      const json = (value: object, status = 200): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (url.pathname.startsWith("/.well-known/oauth-protected-resource"))
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      if (url.pathname.startsWith("/.well-known/oauth-authorization-server"))
        return json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
      if (url.pathname === "/register")
        return json({ ...(JSON.parse(body) as object), client_id: "deputy" }, 201);
      if (url.pathname === "/authorize") {
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({
          ...(refuses ? { error: "access_denied" } : { code: "1" }),
          state: url.searchParams.get("state") ?? "",
        }).toString();
        refuses = false;
        return void response.writeHead(302, { location: back.href }).end();
      }
      if (url.pathname === "/token")
        return json({ access_token: "the-access-token", token_type: "Bearer", expires_in: 3_600 });
      if (url.pathname !== "/mcp" || request.method !== "POST") return json({}, 405);
      if (request.headers.authorization !== "Bearer the-access-token") {
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        response.setHeader("www-authenticate", `Bearer resource_metadata="${metadata}"`);
        return json({}, 401);
      }
      const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params: object };
      if (id === undefined) return void response.writeHead(202).end();
      json({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} });
    })();
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `${origin}/mcp`,
    called: () => called,
    refuseNext: () => void (refuses = true),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
