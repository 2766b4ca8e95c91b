import { type CellOutcome, DEFAULT_CELL_LIMITS, type Sandbox } from "@deputy/codemode";
import { createWorkerSandbox } from "@deputy/codemode/node";
import { describeSandbox } from "@deputy/testing";
import { probeFamilies } from "@deputy/testing/probes";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openPageSandboxes, type PageSandboxes } from "./page-sandbox.ts";
import { serveSandboxPage } from "./serve-sandbox-page.ts";

/** Some of each family, in the page: enough to cover every kind of attack. */
const PROBES_PER_FAMILY = 6;

/** Everything in which engines, clocks and machines could differ. */
const REVEALING = `const drawn = Array.from({ length: 20 }, () => Math.random());
  const words = ["b", "a", "Ä", "z", "é", "\\u{1F600}"].sort();
  const when = [Date.now(), new Date().toString(), new Date(2020, 5, 1).toISOString(), new Date("2024-02-30") + ""];
  const sums = [0.1 + 0.2, 1e21, -0, 1 / 3, Math.sin(1e6), Math.pow(2, 0.5), (123.456).toFixed(1), 2n ** 100n + ""];
  let error; try { null.x } catch (e) { error = [e.name, e.message, e.stack] }
  let denied; try { await tools.b.c() } catch (e) { denied = [e.code, e.stack] }
  const later = [await tools.a(drawn[0]), Date.now()];
  console.log(drawn[1], when, { words });
  return { drawn, words, when, sums, error, denied, later, more: Math.random() }`;

/** Native recursion takes far more of the browser's stack than of the engine's. */
const DEEP: Readonly<Record<string, string>> = {
  "a parse": "try { JSON.parse('['.repeat(1e5)) } catch (e) { return e.stack }",
  "a chain of proxies":
    "let p = {}; for (let i = 0; i < 2e4; i++) p = new Proxy(p, {}); try { p.x } catch (e) { return e.stack }",
  "a pattern": "try { new RegExp('(?:'.repeat(1e5)) } catch (e) { return e.stack }",
  "a call in the depth":
    "const o = { toJSON() { tools.a(1).catch(() => {}); return JSON.stringify(o) } }; try { JSON.stringify(o) } catch (e) { return e.stack }",
  "a line logged in the depth":
    "const o = { toJSON() { console.log('x'); return JSON.stringify(o) } }; try { JSON.stringify(o) } catch (e) { return e.stack }",
};

/** As text, so that nothing rewrites the import. Each is refused by the worker's policy. */
const REACHING_OUT = `Promise.allSettled([
  fetch("/quickjs.wasm"), import("/sandbox-page.js"), WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
]).then((all) => all.map(({ status }) => status))`;

async function reveal(sandbox: Sandbox, seed: number): Promise<CellOutcome> {
  const cell = sandbox.start(
    {
      code: REVEALING,
      toolPaths: ["a", "b.c"],
      limits: { ...DEFAULT_CELL_LIMITS, cpuMs: 60_000 },
      startedAtMs: 1_700_000_000_000,
      seed,
      onCall: ({ id, path, inputJson }) => {
        const atMs = 1_700_000_000_000 + id * 1_000;
        const refusal = { kind: "error", code: "denied", message: "no", atMs } as const;
        cell.settle(id, path === "a" ? { kind: "ok", json: inputJson, atMs } : refusal);
      },
    },
    new AbortController().signal,
  );
  return cell.outcome;
}

describe.skipIf(noBrowser)("the sandbox in a real browser", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveSandboxPage>>;
  let page: Page;
  let sandboxes: PageSandboxes;
  const complaints: string[] = [];
  const outside: string[] = [];

  beforeAll(async () => {
    [browser, server] = await Promise.all([launchChromium(), serveSandboxPage()]);
    page = await browser.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url)) outside.push(request.url());
    });
    sandboxes = await openPageSandboxes(page);
    await page.goto(server.url);
    await page.waitForFunction(() => "sandboxPage" in globalThis);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  describeSandbox("[CB1] passes the same suite", () => sandboxes.create("suited"));

  test.each(probeFamilies)("[CB2] withstands $name, and the page stays responsive", async ({ name }) => {
    const { fired, wrong } = await page.evaluate(
      ([family, count]) => globalThis.sandboxPage.probe(family, count),
      [name, PROBES_PER_FAMILY] as const,
    );
    expect(wrong).toEqual([]);
    expect(fired).toBeGreaterThan(2);
  });

  test("[CB3] the same seed and settlements give the same run as in Node, to the last character", async () => {
    await using here = createWorkerSandbox();
    await using there = sandboxes.create("suited");
    const [inNode, inPage] = await Promise.all([reveal(here, 7), reveal(there, 7)]);
    expect(inPage.kind).toBe("completed");
    expect(inPage).toEqual(inNode);
    expect(await reveal(there, 8)).not.toEqual(inPage);
  });

  test.each(Object.entries(DEEP))(
    "[CB4] where the browser's own stack ends first, %s only ends the cell, and reveals nothing",
    async (_, code) => {
      await using sandbox = sandboxes.create("as given");
      const start = (text: string) =>
        sandbox.start(
          {
            code: text,
            toolPaths: ["a"],
            limits: { ...DEFAULT_CELL_LIMITS, cpuMs: 60_000, maxInFlight: 1_000 },
            startedAtMs: 0,
            seed: 1,
            onCall: () => {},
          },
          new AbortController().signal,
        ).outcome;
      const outcome = await start(code);
      expect(JSON.stringify(outcome)).not.toMatch(/http|sandbox-worker|\.js/);
      expect(outcome.kind === "failed" ? outcome.failure.code : outcome.resultJson).toBe("stack_limit");
      expect(await start("return 1")).toMatchObject({ resultJson: "1" });
    },
  );

  test("[CB5] under a strict policy it works, requests nothing else, and prints nothing", async () => {
    expect([complaints, outside]).toEqual([[], []]);
    await using sandbox = sandboxes.create("suited");
    expect(await reveal(sandbox, 1)).toMatchObject({ kind: "completed" });
    const fromWorkers = page.workers().map((worker) => worker.evaluate(REACHING_OUT));
    expect(await Promise.all(fromWorkers)).toContainEqual(["rejected", "rejected", "rejected"]);
  });
});
