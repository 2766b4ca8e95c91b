import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { bundleForPage } from "./bundle-for-page.ts";
import { ROOT } from "./repository.ts";

/** The page may start its own worker and compile the engine; the worker may do nothing at all. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const WORKER_POLICY = "default-src 'none'";

const HTML = '<!doctype html><title>Sandbox</title><script type="module" src="/sandbox-page.js"></script>';

/** Serves the page on loopback, bundled for browsers as it stands. */
export async function serveSandboxPage(): Promise<AsyncDisposable & { readonly url: string }> {
  const wasm = createRequire(join(ROOT, "packages/codemode/package.json")).resolve(
    "quickjs-wasi/quickjs.wasm",
  );
  const [page, worker] = await Promise.all([
    bundleForPage("e2e/sandbox-page.ts"),
    bundleForPage("packages/codemode/src/browser/sandbox-worker.ts"),
  ]);
  const files = new Map<string, readonly [type: string, policy: string, body: string | Uint8Array]>([
    ["/", ["text/html; charset=utf-8", PAGE_POLICY, HTML]],
    ["/sandbox-page.js", ["text/javascript", PAGE_POLICY, page]],
    ["/sandbox-worker.js", ["text/javascript", WORKER_POLICY, worker]],
    ["/quickjs.wasm", ["application/wasm", PAGE_POLICY, readFileSync(wasm)]],
  ]);
  const server = createServer((request, response) => {
    const [type, policy, body] = files.get(request.url ?? "") ?? ["text/plain", PAGE_POLICY, ""];
    const status = files.has(request.url ?? "") ? 200 : 404;
    response.writeHead(status, {
      "content-type": type,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
    });
    response.end(body);
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
