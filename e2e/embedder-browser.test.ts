import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openMiniLm } from "@deputy/embedder/node";
import { MODEL, MODEL_FILES, modelFolder } from "@deputy/embedder/node/model-files";
import { createSystemClock } from "@deputy/kit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleForPage } from "./bundle-for-page.ts";
import { launchChromium, noBrowser } from "./chromium.ts";

const TEXTS = ["This is an example sentence", "字 and café"];

/** Serves a page that may do what its own worker needs, the worker, and the files of the model. */
async function serve(): Promise<AsyncDisposable & { readonly url: string }> {
  const worker = await bundleForPage("e2e/embedder-worker.ts");
  const files = new Map<string, string>(
    Object.values(MODEL_FILES).map(({ path }) => [`/model/${path}`, path]),
  );
  const server = createServer((request, response) => {
    const path = files.get(request.url ?? "");
    if (request.url === "/")
      response.setHeader("content-type", "text/html").end("<!doctype html><title>x</title>");
    else if (request.url === "/worker.js") response.setHeader("content-type", "text/javascript").end(worker);
    else if (path === undefined) response.writeHead(404).end();
    else response.end(readFileSync(join(modelFolder(), path)));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

describe.skipIf(noBrowser)("the model in a browser", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    server = await serve();
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(server.url);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  const ask = (files: object): Promise<{ readonly vectors?: number[][]; readonly code?: string }> =>
    page.evaluate(
      (message) =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/worker.js", { type: "module" });
          worker.addEventListener("message", ({ data }) => resolve(data));
          worker.addEventListener("error", ({ message: why }) => reject(new Error(why)));
          worker.postMessage(message);
        }),
      { folder: `${server.url}model/`, files, model: MODEL, texts: TEXTS },
    );

  test("[EM1] gives the vectors that it gives in Node", async () => {
    await using inNode = openMiniLm({ clock: createSystemClock() });
    const expected = await inNode.embed(TEXTS, new AbortController().signal);
    const { vectors = [], code } = await ask(MODEL_FILES);
    expect(code).toBeUndefined();
    expect(vectors).toHaveLength(TEXTS.length);
    for (const [at, vector] of vectors.entries()) {
      const likeness = vector.reduce((sum, value, place) => sum + value * (expected[at]?.[place] ?? 0), 0);
      expect(likeness).toBeGreaterThan(0.9999);
    }
  });

  test("[EM3] uses no file that is missing or another", async () => {
    const { tokenizer, runtime } = MODEL_FILES;
    expect(await ask({ ...MODEL_FILES, runtime: { ...runtime, path: "none" } })).toEqual({
      code: "model_missing",
    });
    const other = { ...tokenizer, sha256: runtime.sha256 };
    expect(await ask({ ...MODEL_FILES, tokenizer: other })).toEqual({ code: "model_corrupt" });
  });
});
