import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { launchChromium } from "../chromium.ts";
import { ROOT } from "../repository.ts";

export interface WorkerPage extends AsyncDisposable {
  readonly page: Page;
}

/** A page of a real browser that can start the workers of these sources, each as `/NAME.js`, and read these files. */
export async function openWorkerPage(
  sources: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Uint8Array>> = {},
): Promise<WorkerPage> {
  const opened = new AsyncDisposableStack();
  // Fails for anything that only Node has.
  const built = await build({
    entryPoints: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, join(ROOT, source)]),
    ),
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2024",
    write: false,
    outdir: "/",
    logLevel: "silent",
  });
  const scripts = new Map(built.outputFiles.map(({ path, text }) => [path, text]));
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    const file = files[url];
    const script = scripts.get(url);
    if (file !== undefined) response.writeHead(200, { "content-type": "application/wasm" }).end(file);
    else if (script !== undefined) response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    else
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end("<!doctype html><title>Workers</title>");
  }).listen(0, "127.0.0.1");
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const browser = await launchChromium();
  opened.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { page, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
