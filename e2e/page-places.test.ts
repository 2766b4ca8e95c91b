import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("workspace, usage and memory on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });
  const open = async (place: string) => {
    const opened = await openSignedIn(browser, world.daemon().url);
    await opened.page.goto(`${world.daemon().url}/#/${place}`);
    return opened;
  };

  test("[WB25] a folder is copied, changes are seen word by word, ticked, written and given up; a conflict is resolved in place", async () => {
    const real = join(world.home, "..", `${world.home.split("/").at(-1)}-real`);
    mkdirSync(join(real, "src"), { recursive: true });
    const names = ["one.txt", "two.txt", "src/three.txt"];
    for (const name of names) writeFileSync(join(real, name), `first line of ${name}\nthe cat sat\n`);
    const { page, complaints } = await open("workspace");
    await page.getByRole("button", { name: "Copy a folder" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(real);
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByText("3 files copied.").first().waitFor();
    const kept = join(world.home, "workspace");
    const copy = join(kept, readFileSync(join(kept, "current"), "utf8").trim(), "tree");
    for (const name of names) writeFileSync(join(copy, name), `first line of ${name}\nthe dog sat\n`);
    writeFileSync(join(real, "two.txt"), "first line of two.txt\nthe bird sat\n");
    await page.reload();
    await page.getByRole("heading", { name: "3 changed files" }).waitFor();
    expect(await page.locator(".word").first().textContent()).toBe("cat");
    await page.getByLabel("Show").selectOption("side");
    await page.locator(".diff-text.side").first().waitFor();
    await page.getByLabel("Viewed one.txt").check();
    await page.getByText("1 of 3 viewed").waitFor();
    await page.getByLabel("Write src/three.txt").uncheck();
    await page.getByRole("button", { name: "Write 2 files" }).click();
    await page.getByText("differently in one place").waitFor();
    expect(readFileSync(join(real, "one.txt"), "utf8")).toContain("cat");
    await page.getByText("Merge by hand").click();
    await page.getByLabel("Merged").fill("first line of two.txt\nthe dog and the bird sat\n");
    await page.getByRole("button", { name: "Take the merged text" }).click();
    await page.getByText("differently in one place").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Write 2 files" }).click();
    await page.getByRole("heading", { name: "1 changed file", exact: true }).waitFor();
    expect(readFileSync(join(real, "two.txt"), "utf8")).toContain("the dog and the bird sat");
    expect(readFileSync(join(real, "one.txt"), "utf8")).toContain("dog");
    await page.getByText("0 new, 2 changed, 0 deleted").waitFor();
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Give them up" }).click();
    await page.getByText("Nothing is changed.").waitFor();
    expect(readFileSync(join(copy, "src/three.txt"), "utf8")).toContain("cat");
    await page.getByText("All files").click();
    await page.locator(".tree summary").getByText("src").click();
    await page.locator(".tree .tree").getByText("three.txt").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB26] usage shows what a conversation took, as plots with the numbers behind them", async () => {
    const { page, complaints } = await open("");
    await say(page, "Count the stars");
    const answering = await world.model.asked();
    answering.write("Too many.");
    answering.end();
    await page.getByRole("log").getByText("Too many.").waitFor();
    await page.locator(".page-head").getByText("1,234 tokens").waitFor();
    await page.goto(`${world.daemon().url}/#/usage`);
    const byModel = page.getByRole("region", { name: "By model" }).first();
    await byModel.locator("rect").first().waitFor({ state: "attached" });
    await byModel.getByText("Numbers").click();
    await byModel
      .getByRole("row", { name: /local\/paced/ })
      .getByRole("cell", { name: "1,200" })
      .waitFor();
    await page
      .getByRole("region", { name: "By conversation" })
      .getByText("Count the stars")
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB26] the memory is searched, and says where a thing stands and why it was found", async () => {
    const { page, complaints } = await open("");
    await say(page, "My bicycle is green");
    const answering = await world.model.asked();
    answering.write("A green bicycle it is.");
    answering.end();
    await page.getByRole("log").getByText("A green bicycle it is.").waitFor();
    await page.getByRole("link", { name: "Memory" }).click();
    await page.getByLabel("Search the memory").fill("bicycle");
    await page.getByRole("button", { name: "Search", exact: true }).last().click();
    await page.locator(".memory").first().getByText("bicycle").first().waitFor();
    await page.locator(".memory").first().getByText("Found because").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB8] a hit far up in a long conversation opens at its sentence, with the words marked", async () => {
    const { page } = await open("");
    await say(page, "The needle is purple");
    const answer = async (text: string) => {
      const answering = await world.model.asked();
      answering.write(text);
      answering.end();
      await page.getByRole("log").getByText(text.slice(-20)).last().waitFor();
      await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    };
    await answer(`${"Hay. ".repeat(400)}\n\nOnce more: the needle is purple, I noted it.`);
    for (let at = 0; at < 3; at += 1) {
      await say(page, `Hay ${at}`);
      await answer(`${"More hay. ".repeat(300)} Bale ${at} is done.`);
    }
    await page.keyboard.press("Control+k");
    await page.keyboard.type("needle noted");
    await page.getByRole("dialog").locator("mark").first().waitFor();
    await page
      .getByRole("dialog")
      .getByRole("link")
      .filter({ has: page.locator("mark") })
      .first()
      .click();
    await expect
      .poll(() => page.evaluate(() => CSS.highlights.get("found-words")?.size ?? 0))
      .toBeGreaterThan(0);
    await expect
      .poll(() =>
        page
          .getByText("Once more: the needle")
          .evaluate(
            (found) =>
              found.getBoundingClientRect().top > 0 && found.getBoundingClientRect().top < innerHeight,
          ),
      )
      .toBe(true);
  });
});
