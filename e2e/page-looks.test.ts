import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { findViolations } from "./find-violations.ts";
import { openTab, type PageDaemon, say, signIn, startPageDaemon } from "./page-world.ts";

/** Where the pictures go; set it to keep them. */
const PICTURES = process.env["DEPUTY_PICTURES"];

const SIZES = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;
const THEMES = ["light", "dark"] as const;
/** A tablet has the same document as a desktop, narrower: only what a width can change is looked at there. */
const DESKTOP = { size: "desktop", also: ["tablet"], options: {} } as const;
const PHONE = { size: "phone", also: [], options: { hasTouch: true, isMobile: true } } as const;
const SEEN = [
  { part: "place", ...DESKTOP },
  { part: "state", ...DESKTOP },
  { part: "place", ...PHONE },
  { part: "state", ...PHONE },
] as const;
const PLACES = [
  "",
  "approvals",
  "tasks",
  "tasks/new",
  "workspace",
  "tools",
  "tools/add",
  "usage",
  "memory",
  "activity",
  "memory/forget",
  "settings/model",
  "settings/all",
  "settings/agents",
  "settings/channels",
  "settings/health",
  "settings/browser",
  "archive",
];

describe.skipIf(noBrowser)("how the page looks", () => {
  let browser: Browser;
  let world: PageDaemon;
  let conversation: string;
  let task: string;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
    copyFileSync(join(world.home, "page-plugin.ts"), join(world.home, "other-plugin.ts"));
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
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Tell me what is new");
    await page.getByLabel("When?").fill("weekdays at 9:00 Asia/Tokyo");
    await page.locator("#task-preview time").first().waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Resumed by you").waitFor();
    task = page.url().split("#/")[1] ?? "";
    await context.close();
    return id.replace(/^\//, "");
  }

  test.each(SEEN)(
    "[WB5] every $part, on a $size, in light and dark",
    async ({ part, size, also, options }) => {
      const { page, complaints } = await openTab(browser, world.daemon().url, {
        ...options,
        viewport: SIZES[size],
        // Only so that axe can be put into the page; other tests have the policy.
        bypassCSP: true,
      });
      const see = async (place: string, shownSize: keyof typeof SIZES): Promise<void> => {
        for (const theme of PICTURES === undefined ? [] : THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          const name = `${shownSize}-${theme}-${place.replace("/", "-") || "new"}.png`;
          await page.screenshot({ path: join(PICTURES ?? "", name) });
        }
        const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect(width[0], `${place}, ${shownSize}`).toBe(width[1]);
        const isCut = await page.evaluate(() =>
          [...document.querySelectorAll(".page-head > *")].some(
            (shownPart) => shownPart.getBoundingClientRect().right > innerWidth,
          ),
        );
        expect(isCut, `the head of ${place}, ${shownSize}`).toBe(false);
      };
      /** One document for all: a theme changes colours and nothing else, so the other rules look at it once. */
      const look = async (place: string): Promise<void> => {
        await see(place, size);
        for (const [theme, rules] of [
          ["dark", "all"],
          ["light", "of colours"],
        ] as const) {
          await page.emulateMedia({ colorScheme: theme });
          expect(await findViolations(page, rules), `${place}, ${theme}`).toEqual([]);
        }
        for (const other of also) {
          await page.setViewportSize(SIZES[other]);
          await see(place, other);
        }
        if (also.length > 0) await page.setViewportSize(SIZES[size]);
      };
      const goTo = async (place: string): Promise<void> => {
        await page.goto(`${world.daemon().url}/#/${place}`);
        await page.getByRole("main").getByRole("heading").first().waitFor();
        await page.getByText("Loading…").first().waitFor({ state: "hidden" });
      };
      const seeCard = (name: RegExp): Promise<void> =>
        page.locator("button:enabled").filter({ hasText: name }).first().waitFor();
      await page.getByLabel("Token").waitFor();
      if (part === "place") await look("sign-in");
      await signIn(page);
      for (const place of part === "place" ? PLACES : []) {
        await goTo(place);
        // Some of each kind: axe takes long over a hundred rows.
        if (place === "settings/all") await page.getByLabel("Find a setting").fill("agents");
        if (place === "activity")
          await page
            .getByRole("button", { name: /Call requested/ })
            .first()
            .click();
        if (place === "activity") await page.getByLabel("The whole event").waitFor();
        if (place === "approvals") await seeCard(/Approve 3/);
        await look(place);
      }
      if (part === "place") return expect(complaints).toEqual([]);
      await goTo(task);
      await look("task");
      await goTo(conversation);
      await seeCard(/Approve 3/);
      await look("conversation");
      await page
        .getByRole("log")
        .getByRole("button", { name: /Ran a program: rows\.list/ })
        .click();
      await look("run");
      await page.getByRole("link", { name: "Step through it" }).first().click();
      await page.getByRole("slider", { name: "Step" }).waitFor();
      await look("run-panel");
      await page.getByRole("complementary", { name: "Run" }).getByRole("link", { name: "Close" }).click();
      await page
        .getByRole("button", { name: /^What to do with/ })
        .last()
        .click();
      await page.getByRole("menuitem", { name: "Rename" }).waitFor();
      await look("menu");
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Rename" }).waitFor();
      await look("rename");
      await page.keyboard.press("Escape");
      await page.getByLabel("Message", { exact: true }).fill("/");
      await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
      await look("suggestions");
      await page.getByLabel("Message", { exact: true }).fill("");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("link").first().waitFor();
      await look("palette");
      await page.keyboard.press("Escape");
      await page.getByRole("log").click({ position: { x: 5, y: 5 } });
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await look("keys");
      await page.keyboard.press("Escape");
      await goTo("settings/agents");
      await page.getByRole("button", { name: /AGENTS\.md/ }).click();
      await page.getByRole("button", { name: "Close" }).waitFor();
      await look("editor");
      await goTo("tools");
      await page.getByLabel("Find a tool by what it does").fill("mail.send");
      await page.locator('ul.tools[aria-busy="false"]').waitFor();
      const tool = page.locator("details.tool-item").filter({ hasText: "mail.send" });
      await tool.locator("summary").first().click();
      await tool.getByText("Try it").click();
      await tool.getByLabel("subject").waitFor();
      await look("tool");
      await goTo("tools/add");
      await page.getByRole("radio", { name: /Plugin/ }).check();
      await page.getByLabel("File or package").fill("./other-plugin.ts");
      await page.getByRole("button", { name: "See what it offers" }).click();
      await page.getByRole("heading", { name: /4 tools/ }).waitFor();
      await look("consent");
      if (size === "phone") {
        await page.getByRole("button", { name: "More" }).click();
        await page.getByRole("link", { name: "Settings" }).waitFor();
        await look("drawer");
      }
      expect(complaints).toEqual([]);
    },
  );

  test.each([
    ["enlarged twice", { width: 640, height: 400 }],
    ["on a narrow phone whose keyboard is open", { width: 320, height: 440 }],
  ] as const)("[WB5] %s, a question has all its room, and what follows is below it", async (_, viewport) => {
    const { page } = await openTab(browser, world.daemon().url, { viewport });
    await signIn(page);
    for (const place of [conversation, "approvals"]) {
      await page.goto(`${world.daemon().url}/#/${place}`);
      await page.getByRole("button", { name: /^Approve 3/ }).waitFor();
      const [footer, card] = await page
        .locator("section.approval")
        .evaluate((section) =>
          [section.querySelector("footer"), section].map((part) => part?.getBoundingClientRect().bottom ?? 0),
        );
      expect(footer, place).toBeLessThanOrEqual(card ?? 0);
    }
  });

  test("[WB5] on a phone, an answer's time stands beside its buttons, each with its name", async () => {
    const { page } = await openTab(browser, world.daemon().url, { viewport: { width: 360, height: 780 } });
    await signIn(page);
    await say(page, "Say when");
    const answering = await world.model.asked();
    answering.write("Now.");
    answering.end();
    const row = page.locator(".row-answer").filter({ hasText: "Now." });
    const actions = row.locator(".row-actions");
    await actions.getByRole("button", { name: "Ask again" }).waitFor();
    await actions.getByRole("button", { name: "Continue in a copy" }).waitFor();
    const isBeside = await actions.evaluate((all) => {
      const [first, time] = [all.firstElementChild, all.lastElementChild];
      if (first === null || !(time instanceof HTMLTimeElement)) return false;
      time.textContent = "12:42 AM";
      return time.getBoundingClientRect().top < first.getBoundingClientRect().bottom;
    });
    expect(isBeside).toBe(true);
  });

  test("[WB5] keys that are pressed together stand together, however wide the sheet is", async () => {
    const { page } = await openTab(browser, world.daemon().url);
    await signIn(page);
    await page.getByRole("button", { name: "Keys" }).click();
    const sheet = page.getByRole("dialog", { name: "Keys" });
    await sheet.getByText("Search, and go anywhere").waitFor();
    for (const width of [320, 390, 480, 640, 820, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const apart = await sheet.locator("dt").evaluateAll((all) =>
        all.flatMap((one) => {
          const keys = [...one.querySelectorAll("kbd")].filter((key) => /^(?:Ctrl|⌘)$/.test(key.textContent));
          return keys.filter((key) => {
            const next = key.nextElementSibling;
            return next?.getBoundingClientRect().top !== key.getBoundingClientRect().top;
          });
        }),
      );
      expect(apart, `${width}`).toHaveLength(0);
      expect(
        await sheet
          .locator("kbd")
          .filter({ hasText: /^Ctrl$/ })
          .count(),
      ).toBeGreaterThan(0);
    }
  });

  test("[WB5] however long its times are, what happened to a task stands beside them", async () => {
    const { page } = await openTab(browser, world.daemon().url);
    await signIn(page);
    await page.goto(`${world.daemon().url}/#/${task}`);
    const times = page.locator(".timeline time");
    await times.first().waitFor();
    // As in a demo whose time is a year ahead.
    const isInItsPlace = await times.first().evaluate((time) => {
      time.textContent = "Nov 19, 2026, 11:27:24 PM";
      return time.scrollWidth <= time.clientWidth;
    });
    expect(isInItsPlace).toBe(true);
  });

  test("[WB5] the reader's choice of colours outlives a reload, whatever the system has", async () => {
    const { page } = await openTab(browser, world.daemon().url, { colorScheme: "light" });
    await signIn(page);
    await page.goto(`${world.daemon().url}/#/settings/browser`);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(251, 251, 250)");
    await page.getByLabel("Colours").selectOption("dark");
    expect(await background()).toBe("rgb(20, 21, 25)");
    await page.reload();
    await page.getByLabel("Colours").waitFor();
    expect(await background()).toBe("rgb(20, 21, 25)");
  });
});
