import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { findViolations } from "./find-violations.ts";
import { openPacedModel, type PacedModel } from "./paced-model.ts";
import { openSignedIn, say } from "./page-world.ts";
import { type Daemon, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const KEY = "sk-a-secret-key-of-the-owner";

describe.skipIf(noBrowser)("a model is connected in the page", () => {
  let browser: Browser;
  let model: PacedModel;
  let home: ReturnType<typeof scratchDirectory>;
  let daemon: Daemon;
  /** Answers nothing at one address, and takes no key at the other. */
  let silent: AsyncDisposable & { readonly url: string; readonly refuses: string };
  beforeAll(async () => {
    home = scratchDirectory();
    silent = await serveSilence();
    [browser, model, daemon] = await Promise.all([
      launchChromium(),
      openPacedModel(),
      startDaemon(home.path, [], { DEPUTY_TOKEN: TOKEN }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await daemon?.end("SIGKILL");
    await model?.[Symbol.asyncDispose]();
    await silent?.[Symbol.asyncDispose]();
    home?.[Symbol.dispose]();
  });

  test("[WB13] a model that calls tools is kept and used at once; one that does not, or a wrong address, changes nothing; the key is never shown", async () => {
    const { page, complaints, outside } = await openSignedIn(browser, daemon.url);
    await page.getByRole("link", { name: "Connect a model" }).click();
    await page.getByText("No model is connected").waitFor();
    await page.getByRole("button", { name: /Another server/ }).click();
    const connect = page.getByRole("button", { name: "Try it and connect" });

    await page.getByLabel("Address").fill("http://127.0.0.1:1");
    await page.getByLabel("Model", { exact: true }).fill("paced");
    await connect.click();
    await page
      .getByRole("alert")
      .filter({ hasText: /127\.0\.0\.1:1/ })
      .waitFor();

    await page.getByRole("button", { name: "List its models" }).click();
    await page.getByRole("alert").filter({ hasText: "http://127.0.0.1:1 cannot be reached." }).waitFor();

    // What a look at one address finds late takes nothing from what is tried at another.
    await page.getByLabel("Address").fill(silent.url);
    await page.getByRole("button", { name: "List its models" }).click();
    await page.getByRole("button", { name: "Looking…" }).waitFor();
    // One that never answers need not be waited for.
    await page.getByLabel("Model", { exact: true }).fill("paced");
    await connect.click();
    await page.getByText("Trying it, for a minute at most").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").filter({ hasText: "Stopped. Nothing was changed." }).waitFor();
    await connect.waitFor();

    await page.getByLabel("Address").fill(silent.refuses);
    await page.getByLabel("Key").fill("not-the-key");
    await connect.click();
    await page.getByRole("alert").filter({ hasText: "refused this key" }).waitFor();
    expect(await page.getByRole("alert").textContent()).not.toContain("DEPUTY_");
    expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("paced");

    await page.getByLabel("Address").fill(model.env["DEPUTY_LOCAL_BASE_URL"] ?? "");
    await page.getByLabel("Key").fill(KEY);
    await page.getByLabel("Model", { exact: true }).fill("paced");
    await connect.click();
    const first = await model.asked();
    expect(first.authorization).toBe(`Bearer ${KEY}`);
    first.write("I note the word.");
    first.end();
    await page.getByRole("alert").filter({ hasText: "does not call tools" }).waitFor();
    expect(readFileSync(join(home.path, "config.json"), "utf8")).not.toContain("paced");

    await connect.click();
    (await model.asked()).call("run_code", { word: "heliotrope" });
    const mode = page.getByRole("alert").filter({ hasText: "does not write programs" });
    await mode.filter({ hasText: "on the page under All settings" }).waitFor();

    await connect.click();
    (await model.asked()).call("run_code", { code: 'return "heliotrope";' });
    const second = await model.asked();
    second.write("Done.");
    second.end();
    const shown = await model.asked();
    shown.write("I cannot see pictures.");
    shown.end();
    await page.getByText("local/paced").waitFor();
    await page.getByText("Connected, and tried with a call.").waitFor();
    expect(await page.content()).not.toContain(KEY);
    const file = join(home.path, "keys", "local");
    expect(readFileSync(file, "utf8").trim()).toBe(KEY);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(join(home.path, "config.json"), "utf8")).not.toContain(KEY);

    // Only so that axe can be put into the page; this test has the policy otherwise.
    const looked = await openSignedIn(browser, daemon.url, { bypassCSP: true, colorScheme: "dark" });
    await looked.page.goto(`${daemon.url}/#/settings/model`);
    await looked.page.getByRole("button", { name: /Another server/ }).click();
    expect(await findViolations(looked.page)).toEqual([]);

    await page.getByRole("link", { name: "New conversation" }).first().click();
    await say(page, "Hello there");
    const answering = await model.asked();
    answering.write("Hello from the model.");
    answering.end();
    await page.getByRole("log").getByText("Hello from the model.").waitFor();
    expect(await page.getByText("The rehearsal answers").count()).toBe(0);
    expect(complaints.filter((text) => !text.includes("WebSocket"))).toEqual([]);
    expect(outside).toEqual([]);
  });

  test("[WB13] where agents use functions, a model need not write programs", async () => {
    const file = join(home.path, "config.json");
    const config = JSON.parse(readFileSync(file, "utf8")) as { agent?: object };
    writeFileSync(file, JSON.stringify({ ...config, agent: { ...config.agent, mode: "functions" } }));
    const { page } = await openSignedIn(browser, daemon.url);
    await page.goto(`${daemon.url}/#/settings/model`);
    await page.getByRole("button", { name: /Another server/ }).click();
    await page.getByLabel("Address").fill(model.env["DEPUTY_LOCAL_BASE_URL"] ?? "");
    await page.getByLabel("Model", { exact: true }).fill("plain");
    await page.getByRole("button", { name: "Try it and connect" }).click();
    (await model.asked()).call("run_code", { word: "heliotrope" });
    const shown = await model.asked();
    shown.write("I cannot see pictures.");
    shown.end();
    await page.getByText("local/plain").waitFor();
    await page.getByText("Connected, and tried with a call.").waitFor();
  });
});

async function serveSilence() {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/refuses") === true) response.writeHead(401).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/silent`,
    refuses: `http://127.0.0.1:${port}/refuses`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
