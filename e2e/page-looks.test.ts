import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axeCore from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openTab, type PageDaemon, say, signIn, startPageDaemon } from "./page-world.ts";

/** Where the pictures go; set it to keep them. */
const PICTURES = process.env["DEPUTY_PICTURES"];

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 820, height: 1180 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
const THEMES = ["light", "dark"] as const;
const PLACES = [
  "",
  "approvals",
  "tasks",
  "tasks/new",
  "workspace",
  "tools",
  "usage",
  "memory",
  "settings",
  "archive",
];

describe.skipIf(noBrowser)("how the page looks", () => {
  let browser: Browser;
  let world: PageDaemon;
  let conversation: string;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
    if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
    conversation = await prepare();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  /** A conversation with everything in it: an answer in Markdown, a program, and a question that waits. */
  async function prepare(): Promise<string> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(world.daemon().url);
    await signIn(page);
    await say(page, "What is there, and what would you do about it?");
    (await world.model.asked()).call("run_code", { code: `return await tools.rows.list({ count: 3 });` });
    const answering = await world.model.asked();
    answering.write(
      "## Three rows\n\nThere are **three** rows, see [the list](https://example.org/rows):\n\n| id | title |\n| -: | - |\n| 1 | Row 1 |\n| 2 | Row 2 |\n\n1. Read them\n2. Tell you\n   - in a list\n\n> Nothing was changed.\n\n```ts\nconst rows = await tools.rows.list({ count: 3 });\n```\n\nShall I send them?",
    );
    answering.end();
    await page.getByRole("log").getByText("Shall I send them?").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await say(page, "Yes, to Ada");
    const code = `for (const to of ["ada@example.org", "bob@example.org"]) await tools.mail.send({ to, subject: "Rows" });\nawait tools.notes.note({ text: "sent" });`;
    (await world.model.asked()).call("run_code", { code });
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    const id = page.url().split("#")[1] ?? "";
    await context.close();
    return id.replace(/^\//, "");
  }

  /** Violations in words, so that a failure says what to do. */
  async function findViolations(page: Page): Promise<readonly string[]> {
    // Through the debugger, as the page itself takes no script from elsewhere.
    await page.evaluate(axeCore.source);
    return await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(): Promise<{
            violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
          }>;
        };
      };
      const { violations } = await axe.run();
      return violations.map(({ id, help, nodes }) =>
        [
          id,
          help,
          ...nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
        ].join("\n"),
      );
    });
  }

  const cases = Object.entries(SIZES).flatMap(([name, size]) =>
    THEMES.map((theme) => ({ name, theme, size })),
  );

  test.each(cases)("[WB5] every page, on a $name, in $theme", async ({ name, theme, size }) => {
    const { page, complaints } = await openTab(browser, world.daemon().url, {
      ...size,
      colorScheme: theme,
      // Only so that axe can be put into the page; other tests have the policy.
      bypassCSP: true,
    });
    const look = async (place: string): Promise<void> => {
      if (PICTURES !== undefined)
        await page.screenshot({
          path: join(PICTURES, `${name}-${theme}-${place.replace("/", "-") || "new"}.png`),
        });
      const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(width[0], place).toBe(width[1]);
      expect(await findViolations(page), place).toEqual([]);
    };
    await page.getByLabel("Token").waitFor();
    await look("sign-in");
    await signIn(page);
    for (const place of [...PLACES, conversation]) {
      await page.goto(`${world.daemon().url}/#/${place}`);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      await page.getByText("Loading…").first().waitFor({ state: "hidden" });
      if (place === conversation) await page.getByRole("button", { name: /^Approve 3/ }).waitFor();
      await look(place === conversation ? "conversation" : place);
    }
    await page
      .getByRole("log")
      .getByRole("button", { name: /Ran a program: rows\.list/ })
      .click();
    await look("run");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("link").first().waitFor();
    await look("palette");
    await page.keyboard.press("Escape");
    if (name === "phone") {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("link", { name: "Settings" }).waitFor();
      await look("drawer");
    }
    expect(complaints).toEqual([]);
  });

  test("[WB5] the reader's choice of colours outlives a reload, whatever the system has", async () => {
    const { page } = await openTab(browser, world.daemon().url, { colorScheme: "light" });
    await signIn(page);
    await page.goto(`${world.daemon().url}/#/settings`);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(251, 251, 250)");
    await page.getByLabel("Colours").selectOption("dark");
    expect(await background()).toBe("rgb(20, 21, 25)");
    await page.reload();
    await page.getByLabel("Colours").waitFor();
    expect(await background()).toBe("rgb(20, 21, 25)");
  });
});
