import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { launchChromium } from "../chromium.ts";
import { ROOT } from "../repository.ts";
import type { SuiteCase } from "./suite-case.ts";
import type { SuiteMessage } from "./suite-worker.ts";

/** Runs cases in a worker of a real browser. */
export interface ChromiumSuite extends AsyncDisposable {
  run(test: SuiteCase): Promise<string | undefined>;
}

export async function openChromiumSuite(): Promise<ChromiumSuite> {
  const opened = new AsyncDisposableStack();
  const built = await build({
    entryPoints: [join(ROOT, "e2e/wasi/suite-worker.ts")],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2024",
    write: false,
    logLevel: "silent",
  });
  const server = createServer((request, response) => {
    const worker = request.url === "/suite-worker.js";
    response
      .writeHead(200, { "content-type": worker ? "text/javascript" : "text/html; charset=utf-8" })
      .end(worker ? (built.outputFiles[0]?.text ?? "") : "<!doctype html><title>Suite</title>");
  }).listen(0, "127.0.0.1");
  opened.defer(() => void server.close());
  await once(server, "listening");
  const browser = await launchChromium();
  opened.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  return {
    async run(test) {
      const message: SuiteMessage = {
        ...test,
        module: Buffer.from(test.module).toString("base64"),
        files:
          test.files && [...test.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]),
      };
      const answer = await page.evaluate(
        (given) =>
          new Promise<{ wrong: string | undefined; suspends: boolean }>((resolve) => {
            const worker = new Worker("/suite-worker.js", { type: "module" });
            const end = (wrong: string | undefined, suspends: boolean): void => {
              worker.terminate();
              resolve({ wrong, suspends });
            };
            worker.addEventListener("message", ({ data }) => end(data.wrong, data.suspends));
            worker.addEventListener("error", ({ message: text }) => end(text, false));
            worker.postMessage(given);
          }),
        message,
      );
      return answer.wrong ?? (answer.suspends ? undefined : "ran without suspending");
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
