import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("tasks on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  test("[WB12] a task shows when it would run while one types, in the reader's zone, and can be cancelled", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url, {
      timezoneId: "Asia/Tokyo",
    });
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Tell me the news");
    await page.getByLabel("When?").fill("whenever it rains");
    await page.getByRole("status").getByText("For example").waitFor();
    await page.getByLabel("When?").fill("weekdays at 9:00");
    const preview = page.locator("#task-preview");
    await preview.getByText("on weekdays at 09:00").first().waitFor();
    expect(await preview.locator("time").count()).toBe(5);
    expect(await preview.locator("time").first().textContent()).toMatch(/9:00/);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Tell me the news" }).waitFor();
    await page.getByText("Asia/Tokyo").first().waitFor();
    await page.getByRole("button", { name: "Cancel task" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the task" }).click();
    await page.getByText("Cancelled by owner").waitFor();
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByRole("link", { name: /Tell me the news.*cancelled/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB12] a task that runs at once shows what came of it, and what it did opens as a conversation", async () => {
    const { page } = await openSignedIn(browser, world.daemon().url);
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Say hello");
    await page.getByRole("button", { name: "Create" }).click();
    const answering = await world.model.asked();
    answering.write("Hello from a task.");
    answering.end();
    await page.getByText("What it said last").waitFor();
    await page.getByRole("main").getByText("done").first().waitFor();
    await page.getByText("Over: succeeded").waitFor();
    await page.getByRole("link", { name: "See what it did" }).click();
    await page.getByRole("log").getByText("Hello from a task.").waitFor();
    await page.getByRole("button", { name: "Continue in a copy" }).first().waitFor();
    expect(await page.getByLabel("Message", { exact: true }).count()).toBe(0);
  });
});
