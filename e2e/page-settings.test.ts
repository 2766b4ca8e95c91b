import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveTelegram } from "@deputy/testing/chat-apps";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { draftIsKept, openSignedIn, type PageDaemon, startPageDaemon } from "./page-world.ts";

const PATIENT = { timeout: 90_000, interval: 500 };

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
    await queue.getByRole("alert").waitFor({ state: "hidden" });
    await expect.poll(() => config()).toMatchObject({ gateway: { maxQueueSize: 7 } });

    await page.getByText("1 change counts after a restart").waitFor();
    await page.getByRole("button", { name: "Restart now" }).click();
    await page.locator(".pending").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /Use the default of/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB14] [WB93] what is typed and not saved is said when it is out of sight, and is there after a look elsewhere and a reload", async () => {
    const { page, complaints } = await open("all");
    const field = row(page, "agent.maxTurns").getByRole("textbox");
    await field.fill("31");
    await page.getByLabel("Find a setting").fill("retention");
    const unsaved = page.getByRole("status").filter({ hasText: "Typed and not saved" });
    await unsaved.getByRole("button", { name: "Max turns" }).click();
    expect(await field.evaluate((control) => control === document.activeElement)).toBe(true);
    expect(await unsaved.count()).toBe(0);
    // A secret itself, where only its place belongs: kept while the page is open, and nowhere else.
    await row(page, "adapters.mail.password").getByRole("textbox").fill("hunter2");
    await draftIsKept(page, "settings", "31");
    await page.goto(`${world.daemon().url}/#/settings/model`);
    await page.getByRole("link", { name: "All settings" }).click();
    await unsaved.getByRole("button", { name: "Mail: password" }).waitFor();
    expect(await row(page, "adapters.mail.password").getByRole("textbox").inputValue()).toBe("hunter2");
    await row(page, "adapters.mail.password")
      .getByRole("button", { name: /^Discard/ })
      .click();
    await page.reload();
    await unsaved.getByRole("button", { name: "Max turns" }).waitFor();
    expect(await unsaved.getByRole("button").count()).toBe(1);
    expect(await field.inputValue()).toBe("31");
    await row(page, "agent.maxTurns").getByText("What counts: 200").waitFor();
    expect(config()).not.toHaveProperty("agent");
    await row(page, "agent.maxTurns")
      .getByRole("button", { name: /^Discard/ })
      .click();
    await unsaved.waitFor({ state: "hidden" });
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe("200");
    expect(await unsaved.count()).toBe(0);
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

  test("[WB14] a restart with settings that cannot be used leaves Deputy as it was, and one with a broken plugin leaves that out", async () => {
    const before = readFileSync(file(), "utf8");
    const { page } = await open("all");
    const name = "twice";
    const folder = { type: "files", name, path: world.home };
    writeFileSync(file(), JSON.stringify({ ...config(), agent: { maxTurns: 5 }, events: [folder] }));
    writeFileSync(join(world.home, "hooks.json"), "{", { mode: 0o600 });
    await page.reload();
    await page.getByRole("button", { name: "Restart now" }).click();
    await page.getByText(/could not start with the settings of the last restart: .*hooks\.json/).waitFor();
    rmSync(join(world.home, "hooks.json"));
    const broken = { ...JSON.parse(before), agent: { maxTurns: 6 }, toolSources: ["./missing-plugin.ts"] };
    writeFileSync(file(), JSON.stringify(broken));
    await page.getByRole("button", { name: "Restart now" }).click();
    await page.getByText("could not start with").waitFor({ state: "hidden" });
    await page.locator(".pending").waitFor({ state: "hidden" });
    await page.goto(`${world.daemon().url}/#/tools`);
    await page.locator("li.source").filter({ hasText: "there is no such file" }).waitFor();
    writeFileSync(file(), before);
  });

  test("[WB91] a chat app is connected: a wrong token stays with the reason, the right one is kept where nobody reads it, and the code pairs", async () => {
    await using telegram = await serveTelegram();
    const before = readFileSync(file(), "utf8");
    writeFileSync(
      file(),
      JSON.stringify({ ...config(), adapters: { telegram: { apiRoot: telegram.apiRoot } } }),
    );
    await world.restart();
    const { page, complaints, frames } = await open("channels");
    await page.getByRole("button", { name: "Connect: Telegram" }).click();
    const form = page.getByRole("form", { name: "Telegram" });
    const token = form.locator("input");
    expect(await token.getAttribute("type")).toBe("password");
    await token.fill("123:wrong");
    await form.getByRole("button", { name: "Try and connect" }).click();
    await form.getByRole("alert").filter({ hasText: "Telegram does not accept the token" }).waitFor();
    expect(await token.inputValue()).toBe("123:wrong");
    expect(config()).not.toMatchObject({ adapters: { telegram: { enabled: true } } });
    // A place where a secret is would have Deputy read a file and send it to whoever the page names.
    await token.fill("file:/etc/passwd");
    await form.getByRole("button", { name: "Try and connect" }).click();
    await form.getByRole("alert").filter({ hasText: "itself here, not its place" }).waitFor();
    await token.fill(telegram.token);
    await form.getByRole("button", { name: "Try and connect" }).click();
    await page.getByText(/Telegram is connected, as/).waitFor();
    const code = (await page.locator(".pair-code").textContent()) ?? "";
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(config()).toMatchObject({
      adapters: { telegram: { enabled: true, botToken: expect.stringMatching(/^file:/) } },
    });
    expect(readFileSync(file(), "utf8")).not.toContain(telegram.token);
    telegram.say({ id: 17, first_name: "Ada" }, code);
    await page.getByText("Paired with Ada. Deputy has written").waitFor();
    await page.getByRole("button", { name: "Connect anew: Telegram" }).waitFor();
    expect(frames.join()).not.toContain(telegram.token);

    // Whoever is paired already would say a code to the agent: there is none, unless it is for somebody else.
    await page.getByRole("button", { name: "Connect anew: Telegram" }).click();
    await token.fill(telegram.token);
    await form.getByRole("button", { name: "Try and connect" }).click();
    await page.getByText("Ada is paired already").waitFor();
    expect(await page.locator(".pair-code").count()).toBe(0);
    await page.reload();
    await page.getByRole("button", { name: "Pair somebody: Telegram" }).click();
    const other = (await page.locator(".pair-code").textContent()) ?? "";
    expect(other).not.toBe(code);
    telegram.say({ id: 18, first_name: "Bob" }, other);
    await page.getByText("Paired with Bob. Deputy has written").waitFor();

    // What could not be posted is there with its reason, and is posted once more when that is wanted.
    telegram.block(17);
    telegram.say({ id: 17, first_name: "Ada" }, "What is the answer?");
    const answer = await world.model.asked();
    answer.write("It is 42.");
    answer.end();
    const again = page.getByRole("button", { name: "Post again: Telegram" });
    const offered = async (): Promise<number> => {
      await page.reload();
      await page.getByRole("button", { name: "Connect anew: Telegram" }).waitFor();
      return await again.count();
    };
    await expect.poll(offered, PATIENT).toBe(1);
    expect((await page.locator("li").filter({ has: again }).textContent()) ?? "").toMatch(
      /could not be posted:\s+They have blocked the bot/,
    );
    telegram.unblock(17);
    await again.click();
    await expect
      .poll(() => telegram.messages(17).some(({ text }) => text.includes("42")), PATIENT)
      .toBe(true);

    // The others ask for what they need, and say what is missing or wrong before anything is kept.
    await page.getByRole("button", { name: "Connect: Mail" }).click();
    const mail = page.getByRole("form", { name: "Mail" });
    await mail.getByLabel(/mail server that sends/).fill("127.0.0.1");
    await mail.getByLabel(/port/).fill("1");
    await mail.getByLabel("Encryption").selectOption("none");
    await mail.getByLabel(/name to sign in with/).fill("ada@example.org");
    await mail.getByLabel(/^The password/).fill("not-this-one");
    await mail.getByLabel(/^Your address/).fill("ada@example.org");
    await mail.getByRole("button", { name: "Try and connect" }).click();
    await mail.getByRole("alert").filter({ hasText: /./ }).waitFor();
    expect(config()).not.toMatchObject({ adapters: { mail: { enabled: true } } });
    expect(complaints).toEqual([]);
    writeFileSync(file(), before);
    await world.restart();
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

  test("[WB17] [WB93] an agent's Markdown is edited beside its preview, and what is not saved stays; a change on disk meanwhile is shown, and nothing outside can be named", async () => {
    const { page, complaints } = await open("agents");
    await page.getByRole("button", { name: /SOUL\.md/ }).press("Enter");
    const field = page.getByRole("textbox", { name: "agents/main/SOUL.md" });
    await field.fill("Be **brief**.<!-- not this -->");
    await page.getByRole("region", { name: "What the agent reads" }).getByText("brief").waitFor();
    expect(await page.getByRole("region").getByText("not this").count()).toBe(0);
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("button", { name: "Check again" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Agents" }).click();
    await page.getByRole("button", { name: /SOUL\.md/ }).click();
    await page.getByText("did not save is here again").waitFor();
    expect(await field.inputValue()).toBe("Be **brief**.<!-- not this -->");
    expect(await page.getByLabel("What the file says now").textContent()).toBe(
      readFileSync(join(world.home, "agents/main/SOUL.md"), "utf8"),
    );
    const soul = join(world.home, "agents/main/SOUL.md");
    writeFileSync(soul, "Be long.");
    await field.press("Control+s");
    await page.getByRole("alert").filter({ hasText: "changed meanwhile" }).waitFor();
    await page.getByLabel("What the file says now").getByText("Be long.").waitFor();
    expect(readFileSync(soul, "utf8")).toBe("Be long.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Close" }).waitFor();
    expect(readFileSync(soul, "utf8")).toBe("Be **brief**.<!-- not this -->");
    await page.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "New skill" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Water plants");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByRole("textbox", { name: "skills/water-plants/SKILL.md" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Skill: water-plants" }).click();
    expect(await page.getByText("did not save is here again").count()).toBe(0);
    const skill = page.getByRole("textbox", { name: "skills/water-plants/SKILL.md" });
    const saved = await skill.inputValue();
    const headless = page.getByText("Agents find a skill by its head");
    expect(await headless.count()).toBe(0);
    await skill.fill("Given up.");
    await headless.waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Skill: water-plants" }).click();
    await expect.poll(() => skill.inputValue()).toBe(saved);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Skill: water-plants" }).waitFor({ state: "hidden" });
    expect(complaints).toEqual([]);
  });

  test("[WB18] what does not work is listed with what to do, and checked again on demand", async () => {
    const { page, complaints } = await open("health");
    const browserCheck = page.locator("li.finding").filter({ hasText: "token" });
    await browserCheck.waitFor();
    writeFileSync(file(), JSON.stringify({ ...config(), toolSources: ["./missing-plugin.ts"] }));
    await page.getByRole("button", { name: "Check again" }).click();
    const missing = page.locator("li.finding.wrong").filter({ hasText: "missing-plugin.ts" });
    await missing.getByText("What to do").waitFor();
    await missing.getByRole("link", { name: "Go to the tools" }).click();
    await page.getByRole("heading", { name: "Tools", exact: true }).waitFor();
    const source = page.locator("li.source").filter({ hasText: "missing-plugin.ts" });
    await source.getByText("there is no such file").waitFor();
    await source.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await source.waitFor({ state: "hidden" });
    expect(complaints).toEqual([]);
  });
});
