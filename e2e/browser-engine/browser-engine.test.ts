import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { CheckSource } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper } from "@deputy/codemode/node";
import type { ApprovalAnswer } from "@deputy/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "../chromium.ts";
import { bundleForPage } from "../bundle-for-page.ts";
import { ROOT } from "../repository.ts";
import type { WorkerAnswer } from "./engine-worker.ts";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** Serves the engine's worker, and checks programs for it. */
async function serve(opened: AsyncDisposableStack): Promise<string> {
  const checker = opened.use(createNodeTypeChecker());
  const stripper = createNodeTypeStripper();
  const wasm = createRequire(join(ROOT, "packages/codemode/package.json")).resolve(
    "quickjs-wasi/quickjs.wasm",
  );
  const files = new Map<string, readonly [type: string, body: string | Uint8Array]>([
    ["/", ["text/html; charset=utf-8", "<!doctype html><title>Engine</title>"]],
    ["/engine-worker.js", ["text/javascript", await bundleForPage("e2e/browser-engine/engine-worker.ts")]],
    [
      "/sandbox-worker.js",
      ["text/javascript", await bundleForPage("packages/codemode/src/browser/sandbox-worker.ts")],
    ],
    ["/quickjs.wasm", ["application/wasm", readFileSync(wasm)]],
  ]);
  const answer = async (request: IncomingMessage): Promise<readonly [string, string | Uint8Array]> => {
    if (request.url === "/strip") return ["text/plain", stripper.strip(await text(request))];
    if (request.url !== "/check") return files.get(request.url ?? "") ?? ["text/plain", ""];
    const source = JSON.parse(await text(request)) as CheckSource;
    const found = await checker.check(source, new AbortController().signal);
    return ["application/json", JSON.stringify(found)];
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ([type, body]) =>
        response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  opened.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(noBrowser)("an engine in a worker of a real browser", () => {
  const opened = new AsyncDisposableStack();
  let page: Page;

  beforeAll(async () => {
    const [browser, url]: [Browser, string] = await Promise.all([launchChromium(), serve(opened)]);
    opened.defer(() => browser.close());
    page = await browser.newPage();
    await page.goto(url);
  });
  afterAll(() => opened.disposeAsync());

  const play = (answer: ApprovalAnswer): Promise<WorkerAnswer | string> =>
    page.evaluate(
      (given) =>
        new Promise<WorkerAnswer | string>((resolve) => {
          const worker = new Worker("/engine-worker.js", { type: "module" });
          worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer | string>) =>
            resolve(data),
          );
          worker.addEventListener("error", ({ message }) => resolve(message));
          worker.postMessage(given);
        }),
      answer,
    );

  test("[N1] [N10] a message becomes a program, a question, and after a yes an answer", async () => {
    expect(await play({ decision: "approved" })).toMatchObject({
      played: {
        outcome: "completed",
        asked: ["Write “milk”"],
        said: expect.stringContaining('{"notes":1,"all":["milk"]}'),
      },
      written: ["milk"],
      damage: 0,
      bugs: [],
    });
  });

  test("[N2] what is denied does not run", async () => {
    const denied = await play({ decision: "denied" });
    expect(denied).toMatchObject({ written: [], damage: 0, bugs: [] });
    expect(denied).not.toMatchObject({ played: { types: expect.arrayContaining(["call.started"]) } });
  });
});
