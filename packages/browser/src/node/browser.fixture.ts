import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createSystemClock } from "@deputy/kit";
import { requireTool } from "@deputy/testing";
import { createMemoryFileTree, createMemoryShadowStore, createWorkspace } from "@deputy/workspace";
import { createHash } from "node:crypto";
import { browserTools } from "../browser-tools.ts";
import { createWorkspaceLane } from "@deputy/workspace";
import { createCatalogue } from "@deputy/tools";
import type { Attachable } from "@deputy/tools";
import { createBrowsers, type BrowsersDeps } from "./create-browsers.ts";

const CHROMIUM = "/usr/bin/chromium";
/** A stranger without Chromium sees tests that need it skipped; in CI they fail instead. */
export const noBrowser = !existsSync(CHROMIUM) && process.env["DEPUTY_CI"] === undefined;

const live = new AbortController().signal;

type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface PageServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:…`, or `https:` */
  readonly site: string;
  /** Method and path of every request but for icons, in order. */
  readonly asked: string[];
}

/** Pages on this machine, by path; a text is HTML. With a certificate they are encrypted. */
export async function servePages(
  pages: Readonly<Record<string, Answer>>,
  tls?: { readonly key: string; readonly cert: string },
): Promise<PageServer> {
  const asked: string[] = [];
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (path !== "/favicon.ico") asked.push(`${request.method} ${request.url}`);
    const answer = pages[path];
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(answer ?? "nothing");
  };
  const server = tls === undefined ? createServer(take) : createTlsServer(tls, take);
  server.on("upgrade", (request, socket) => {
    asked.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    site: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What tests look at in results. */
export interface Called {
  readonly site: string;
  readonly url: string;
  readonly title: string;
  readonly notes: readonly string[];
  readonly text: string;
  readonly truncated: boolean;
  readonly hidden: number;
  readonly path: string;
  readonly blobId: string;
  readonly bytes: number;
}

/** The browser tools over a real Chromium and a workspace in memory, called as the gate calls them. */
export async function openBrowserTools(options: Partial<BrowsersDeps> & { readonly clock?: Clock } = {}) {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "deputy-browser-"));
  const audited: string[] = [];
  const browsers = createBrowsers({
    directory,
    path: CHROMIUM,
    view: "headless",
    sandbox: process.getuid?.() === 0 ? "off" : "on",
    allow: [],
    env: process.env,
    clock: createSystemClock(),
    audit: (request) => void audited.push(`${request.verdict} ${request.method} ${request.host}`),
    ...options,
  });
  const workspace = createWorkspace({
    store: createMemoryShadowStore(new Map([["/home/me", createMemoryFileTree()]])),
    hash: (bytes) => createHash("sha256").update(bytes).digest("hex"),
    now: Date.now,
  });
  await workspace.import({ root: "/home/me", uncommitted: "keep" }, live);
  const progress: string[] = [];
  const attached: Attachable[] = [];
  const deps = { browsers: async () => browsers, workspace: async () => workspace };
  const tree = browserTools(deps, createWorkspaceLane());
  const catalogue = createCatalogue([{ source: "test", tree }]);
  const toolAt = (path: string) => requireTool(catalogue, path);
  const callIn = async (sessionKey: string, path: string, input: unknown, signal = live): Promise<Called> => {
    const tool = toolAt(path);
    const parsed = await tool.parseInput(input);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    const context = {
      signal,
      sessionKey,
      approvedBy: "user" as const,
      idempotencyKey: "key",
      progress: (message: string) => void progress.push(message),
      log: () => undefined,
      attach: async (content: Attachable) => {
        attached.push(content);
        return { blobId: "b".repeat(64) };
      },
    };
    return (await tool.run(parsed.input, context)) as Called;
  };
  const call = (path: string, input: unknown, signal?: AbortSignal): Promise<Called> =>
    callIn("session", path, input, signal);
  /** Allows a page's site, opens it and looks at it. */
  const open = async (url: string): Promise<Called> => {
    const { origin: site } = new URL(url);
    await call("allowSite", { site });
    await call("navigate", { url });
    return await call("snapshot", { site });
  };
  return {
    directory,
    browsers,
    workspace,
    tree,
    progress,
    audited,
    attached,
    toolAt,
    call,
    callIn,
    open,
    async [Symbol.asyncDispose]() {
      await browsers[Symbol.asyncDispose]();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The ref of the first line of a snapshot that has this in it. */
export function refOf({ text }: Called, part: string): string {
  const line = text.split("\n").find((candidate) => candidate.includes(part));
  const ref = /\[ref=(?<ref>[a-z\d]+)\]/.exec(line ?? "")?.groups?.["ref"];
  if (ref === undefined) throw new Error(`${part} has no ref in:\n${text}`);
  return ref;
}
