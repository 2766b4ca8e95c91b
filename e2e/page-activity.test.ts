import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("activity on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  test("[WB20] the log is a feed in words, filtered by kind, conversation, day and text; filters are in the address", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "List three rows");
    (await world.model.asked()).call("run_code", { code: "return await tools.rows.list({ count: 3 });" });
    const answering = await world.model.asked();
    answering.write("Three of them.");
    answering.end();
    await page.getByRole("log").getByText("Three of them.").waitFor();

    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.getByRole("main").getByRole("heading", { name: "Today" }).waitFor();
    await page
      .getByRole("button", { name: /Call ended rows\.list/ })
      .first()
      .waitFor();
    // Its event does not name the tool.
    await page
      .getByRole("button", { name: /Call decided rows\.list/ })
      .first()
      .waitFor();
    await page.getByLabel("Kind").selectOption("approvals");
    await page.getByText("Nothing in the log matches this.").waitFor();
    await page.getByLabel("Kind").selectOption("talk");
    await page.getByRole("button", { name: /Answer.*Three of them/ }).waitFor();
    await page.getByLabel("Words").fill("three OF");
    await expect.poll(() => page.locator(".feed .event").count()).toBe(1);
    expect(page.url()).toContain("kind=talk");
    await page.reload();
    await expect.poll(() => page.locator(".feed .event").count()).toBe(1);
    expect(await page.getByLabel("Kind").inputValue()).toBe("talk");

    const row = page.getByRole("button", { name: /Answer.*Three of them/ });
    await row.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("The whole event").getByText('"assistant.message"').waitFor();
    await page.getByRole("link", { name: "Show it in its conversation" }).click();
    await page.getByRole("log").getByText("Three of them.").waitFor();

    await page.goto(`${world.daemon().url}/#/activity?day=2020-01-01`);
    await page.getByText("Nothing in the log matches this.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB20] the chain is verified by the daemon, and what is shown can be exported", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await page.goto(`${world.daemon().url}/#/activity?kind=talk`);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/Every hash is right: \d+ events/).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(/^deputy-activity-.*\.jsonl$/);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toContain("assistant.message");
    expect(types.some((type) => type.startsWith("call."))).toBe(false);
    expect(complaints).toEqual([]);
  });
});
