import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("settings in the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const file = (): string => join(world.home, "config.json");
  const config = (): Record<string, never> => JSON.parse(readFileSync(file(), "utf8"));
  async function open(section: string): Promise<{ page: Page; complaints: string[]; frames: string[] }> {
    const opened = await openSignedIn(browser, world.daemon().url);
    const frames: string[] = [];
    opened.page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => void frames.push(String(payload))),
    );
    await opened.page.goto(`${world.daemon().url}/#/settings/${section}`);
    return { ...opened, frames };
  }
  const row = (page: Page, name: string) =>
    page.locator("li").filter({ has: page.locator(`code:text-is("${name}")`) });

  test("[WB14] a setting is found, refused with its reason while it is wrong, saved on its own, and counts after a restart", async () => {
    const { page, complaints } = await open("all");
    await page.getByLabel("Find a setting").fill("how many messages may wait");
    const queue = row(page, "gateway.maxQueueSize");
    const field = queue.getByRole("textbox");
    await field.fill("0");
    await field.press("Enter");
    await queue
      .getByRole("alert")
      .filter({ hasText: /Too small/ })
      .waitFor();
    expect(await field.inputValue()).toBe("0");
    await field.fill("7");

    // Somebody else writes the file.
    writeFileSync(file(), JSON.stringify({ ...config(), gateway: { maxQueueSize: 9 } }));
    await queue.getByRole("button", { name: /^Save/ }).click();
    await queue.getByRole("alert").filter({ hasText: "It has 9 now" }).waitFor();
    expect(config()).toMatchObject({ gateway: { maxQueueSize: 9 } });
    expect(await field.inputValue()).toBe("7");
    await field.press("Enter");
    await queue.getByText("set in the file").waitFor();
    expect(config()).toMatchObject({ gateway: { maxQueueSize: 7 } });

    await page.getByText("1 change counts after a restart").waitFor();
    await page.getByRole("button", { name: "Restart now" }).click();
    await page.getByText("counts after a restart.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /Use the default of/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB14] with the keyboard alone; what no form can show is edited as text, and wrong text stays", async () => {
    const { page, complaints } = await open("all");
    await page.getByLabel("Find a setting").fill("policy");
    const plans = row(page, "policy.plans").getByRole("switch");
    await plans.focus();
    await page.keyboard.press("Space");
    await row(page, "policy.plans").getByText("set in the file").waitFor();
    expect(config()).toMatchObject({ policy: { plans: false } });
    const rules = row(page, "policy.rules");
    await rules.getByRole("textbox").fill('[{ "tool": "mail.**", "decision": "deny" ');
    await rules.getByRole("button", { name: /^Save/ }).press("Enter");
    await rules.getByRole("alert").filter({ hasText: "not JSON" }).waitFor();
    await rules.getByRole("textbox").fill('[{ "tool": "mail.**", "decision": "never" }]');
    await rules.getByRole("button", { name: /^Save/ }).press("Enter");
    await rules.getByRole("alert").filter({ hasText: "decision" }).waitFor();
    await rules.getByRole("textbox").fill('[{ "tool": "mail.**", "decision": "ask" }]');
    await rules.getByRole("button", { name: /^Save/ }).press("Enter");
    await rules.getByText("set in the file").waitFor();
    await rules.getByRole("button", { name: /Use the default/ }).press("Enter");
    await rules.getByText("default ·").waitFor();
    await plans.press("Space");
    expect(complaints).toEqual([]);
  });

  test("[WB14] a secret in the file never reaches the page, and editing around it keeps it", async () => {
    const server = { command: "true", env: { API_TOKEN: "plain-secret-value" }, disabled: true };
    writeFileSync(file(), JSON.stringify({ ...config(), mcpServers: { github: server } }));
    const { page, frames } = await open("all");
    await page.getByLabel("Find a setting").fill("mcpServers");
    const servers = row(page, "mcpServers");
    const field = servers.getByRole("textbox");
    await expect.poll(() => field.inputValue()).toContain("(hidden)");
    await field.fill((await field.inputValue()).replace('"true"', '"false"'));
    await servers.getByRole("button", { name: /^Save/ }).click();
    await servers.getByRole("button", { name: /Use the default/ }).waitFor();
    expect(config()).toMatchObject({
      mcpServers: { github: { command: "false", env: { API_TOKEN: "plain-secret-value" } } },
    });
    expect(frames.join("")).not.toContain("plain-secret-value");
    await servers.getByRole("button", { name: /Use the default/ }).click();
    await servers.getByText("default ·").waitFor();
  });

  test("[WB15] signed-in browsers are listed, and one that is signed out is out at once", async () => {
    const { page } = await open("browser");
    const other = await openSignedIn(browser, world.daemon().url, { userAgent: "Firefox/1 Windows" });
    await page.reload();
    const listed = page.getByRole("listitem").filter({ hasText: "Firefox on Windows" });
    await listed.getByRole("button", { name: /Sign out/ }).click();
    await listed.waitFor({ state: "hidden" });
    await other.page.getByLabel("Token").waitFor();
    await page.getByText("this browser").waitFor();
  });
});
