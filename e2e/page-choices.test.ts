import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { scratchDirectory } from "./run-deputy.ts";
import { findViolations } from "./find-violations.ts";
import { draftIsKept, openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("what is chosen and allowed on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([
      launchChromium(),
      startPageDaemon({
        models: ["local/second", "local/third"],
        agent: { budget: { tokens: 20_000, money: 0.5 } },
        prices: Object.fromEntries(
          ["paced", "second", "third"].map((name) => [`local/${name}`, { input: 3, output: 15 }]),
        ),
        agents: { list: { reader: { model: "local/second" } } },
      }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  test("[WB60] how much the model reasons is chosen before a conversation and during it, reaches the model, and outlives a reload", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    const effort = page.getByLabel("Effort", { exact: true });
    await expect.poll(() => effort.inputValue()).toBe("");
    await effort.selectOption("low");
    await say(page, "Think a little");
    const first = await world.model.asked();
    expect(first.effort).toBe("low");
    first.write("I did.");
    first.end();
    await page.getByRole("log").getByText("I did.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await expect.poll(() => effort.inputValue()).toBe("low");
    // The very first message has nothing before it that could be copied.
    await page.getByRole("log").getByRole("button", { name: "Ask again" }).click();
    const again = await world.model.asked();
    expect([again.effort, JSON.stringify(again.messages.at(-1)?.content)]).toEqual([
      "low",
      expect.stringContaining("Think a little"),
    ]);
    again.write("Once more.");
    again.end();
    await page.getByRole("log").getByText("Once more.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await expect.poll(() => effort.inputValue()).toBe("low");
    await effort.selectOption("high");
    await page.getByText("It counts from the next message on.").waitFor({ state: "attached" });
    await page.reload();
    await expect.poll(() => effort.inputValue()).toBe("high");
    await effort.selectOption("");
    await say(page, "As usual");
    const second = await world.model.asked();
    expect(second.effort).toBeUndefined();
    second.write("As usual, then.");
    second.end();
    await page.getByRole("log").getByText("As usual, then.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB97] among several agents, one is chosen before a conversation, and it answers with its own model", async () => {
    mkdirSync(join(world.home, "agents", "reader"), { recursive: true });
    writeFileSync(join(world.home, "agents", "reader", "SOUL.md"), "You read and say little.");
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    const [agent, model] = ["Agent", "Model"].map((name) => page.getByLabel(name, { exact: true }));
    await agent?.selectOption("reader");
    await expect.poll(() => model?.inputValue()).toBe("local/second");
    await page.getByLabel("Message", { exact: true }).fill("What is");
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    // What was typed stands in the list, too.
    await page.getByRole("link", { name: "New conversation" }).first().click();
    await expect.poll(() => agent?.inputValue()).toBe("reader");
    await page.setViewportSize({ width: 390, height: 844 });
    for (const choice of [agent, model]) expect((await choice?.boundingBox())?.width).toBeGreaterThan(90);
    await page.setViewportSize({ width: 1280, height: 720 });
    await say(page, "What is in it?");
    const answering = await world.model.asked();
    expect([answering.model, JSON.stringify(answering.messages)]).toEqual([
      "second",
      expect.stringContaining("You read and say little."),
    ]);
    answering.write("Not much.");
    answering.end();
    await page.getByRole("log").getByText("Not much.").waitFor();
    await page.locator(".page-head").getByText("reader").waitFor();
    expect(await agent?.count()).toBe(0);
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    expect(complaints).toEqual([]);
  });

  test("[WB45] the model is chosen before a conversation and during it; the choice is recorded, shown, and kept over reloads and in copies", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    const model = page.getByLabel("Model", { exact: true });
    await expect.poll(() => model.inputValue()).toBe("local/paced");
    await model.selectOption("local/second");
    await page.getByLabel("Message", { exact: true }).fill("Who");
    await draftIsKept(page, "new", "Who");
    await page.reload();
    await expect.poll(() => model.inputValue()).toBe("local/second");
    await say(page, "Who are you?");
    const first = await world.model.asked();
    expect(first.model).toBe("second");
    first.write("The second one.");
    first.end();
    await page.getByRole("log").getByText("The second one.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await page.locator(".page-head .model").getByText("second").waitFor();

    await model.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("log").getByText("From here on third answers").waitFor();
    await page.reload();
    await expect.poll(() => model.inputValue()).toBe("local/third");
    await say(page, "And now?");
    const second = await world.model.asked();
    expect(second.model).toBe("third");
    second.write("The third one.");
    second.end();
    await page.getByRole("log").getByText("The third one.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });

    const before = page.url();
    await page.getByRole("button", { name: "Continue in a copy" }).last().click();
    await expect.poll(() => page.url()).not.toBe(before);
    await page.getByRole("log").getByText("The third one.").waitFor();
    await expect.poll(() => model.inputValue()).toBe("local/third");
    await model.selectOption("local/paced");
    await page.getByRole("log").getByText("From here on the agent’s own model answers").waitFor();
    await say(page, "And here?");
    const third = await world.model.asked();
    expect(third.model).toBe("paced");
    third.write("The agent's own one.");
    third.end();
    await page.getByRole("log").getByText("The agent's own one.").waitFor();

    await model.selectOption({ label: "Connect another…" });
    await expect.poll(() => page.url()).toContain("#/settings/model");
    expect(complaints).toEqual([]);
  });

  test("[WB46] what is allowed says how often it was used and when last, and is revoked with one click", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Note it");
    const note = (times: number) =>
      `for (let n = 0; n < ${times}; n += 1) await tools.notes.note({ text: "the same" });`;
    (await world.model.asked()).call("run_code", { code: note(1) });
    const card = page.getByRole("log").getByRole("region");
    // The first program of a daemon loads the compiler, which takes a while on a busy machine.
    await card.getByLabel("What approving allows").selectOption("session", { timeout: 90_000 });
    await card.getByRole("button", { name: /^Approve/ }).click();
    (await world.model.asked()).call("run_code", { code: note(3) });
    const last = await world.model.asked();
    last.write("Noted four times.");
    last.end();
    await page.getByRole("log").getByText("Noted four times.").waitFor();
    await page.goto(`${world.daemon().url}/#/approvals`);
    const granted = page.getByRole("region", { name: "What you allowed" });
    await granted.getByText(/used 3 times, last/).waitFor();
    await granted.getByRole("button", { name: /^Revoke/ }).click();
    await granted.getByText("Nothing is allowed beyond single calls").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB47] [WB87] the palette does what menus do: with the conversation that is open, and with the page", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url, { colorScheme: "light" });
    await say(page, "A name to lose");
    const answering = await world.model.asked();
    answering.write("Noted.");
    answering.end();
    await page.getByRole("log").getByText("Noted.").waitFor();
    const run = async (words: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("searchbox").fill(words);
      await page
        .getByRole("dialog")
        .locator(".option.chosen")
        .filter({ hasText: new RegExp(words) })
        .waitFor();
      await page.keyboard.press("Enter");
    };
    await run("conversation: rename");
    await page.getByRole("dialog").getByRole("textbox").fill("Quite another name");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Quite another name" }).waitFor();
    await run("Use dark colours");
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await run("Keyboard shortcuts");
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("heading", { name: "While you write a message" }).waitFor();
    expect(await sheet.getByRole("heading", { name: "In settings and notes" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await sheet.getByRole("link", { name: "Approvals G" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await sheet.getByRole("status").getByText("Approvals").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Deputy", exact: true }).focus();
    await page.keyboard.press("g");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.getByRole("heading", { name: "Approvals" }).waitFor();
    await page.keyboard.press("?");
    await sheet.getByRole("heading", { name: "On a question that has the focus" }).waitFor();
    expect(await sheet.getByRole("heading", { name: "While you write a message" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    // What was typed does not keep it open.
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("searchbox").fill("tasks");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await run("Sign out");
    await page.getByLabel("Token").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB88] the list on the left folds to icons with names, and stays so; a phone has its drawer", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    const places = page.getByRole("navigation", { name: "Places" });
    const width = async () => Math.round((await page.locator("side-bar").boundingBox())?.width ?? 0);
    expect(await width()).toBe(264);
    const fold = page.getByRole("button", { name: "Side bar" });
    await fold.click();
    expect([await width(), await fold.getAttribute("aria-expanded")]).toEqual([60, "false"]);
    await page.reload();
    await places.getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { name: "Tasks", exact: true }).waitFor();
    expect([await width(), await places.getByRole("link", { name: "Tasks" }).getAttribute("title")]).toEqual([
      60,
      "Tasks",
    ]);
    expect(await findViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "More" }).click();
    await places.getByText("Workspace").waitFor();
    await page.getByRole("button", { name: "Close the menu" }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
    await fold.click();
    expect(await width()).toBe(264);
    expect(complaints).toEqual([]);
  });

  test("[WB51] [WB96] text that is written from right to left stands so; words of tables are whole; a printed conversation has nothing around it", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "שלום, מה חדש?");
    const answering = await world.model.asked();
    const row = `| 12 | ${"A title that is longer than a line. ".repeat(6)} | 2025-03-02 | open |`;
    answering.write(
      `הכול בסדר.\n\n- אחת\n\n| # | title | opened | state |\n| - | - | - | - |\n${row}\n\nAnd in English.`,
    );
    answering.end();
    const log = page.getByRole("log");
    await log.getByText("And in English.").waitFor();
    const directionOf = (text: string) =>
      log.getByText(text).evaluate((element) => getComputedStyle(element).direction);
    expect(await directionOf("שלום, מה חדש?")).toBe("rtl");
    expect(await directionOf("הכול בסדר.")).toBe("rtl");
    expect(await directionOf("And in English.")).toBe("ltr");
    const linesOf = (text: string) =>
      log.getByText(text, { exact: true }).evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
    for (const cell of ["12", "opened", "2025-03-02", "open"]) expect(await linesOf(cell), cell).toBe(1);
    // The mark of an item that stands to the right is within the column, too.
    const right = (text: string) =>
      log.getByText(text).evaluate((element) => element.getBoundingClientRect().right);
    expect(await right("אחת")).toBeLessThan(await right("הכול בסדר."));
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(251, 251, 250)",
    );
    expect(await log.getByText("And in English.").isVisible()).toBe(true);
    expect(await page.getByLabel("Message", { exact: true }).isVisible()).toBe(false);
    expect(await page.getByRole("link", { name: "Tasks" }).first().isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  test("[WB48] [WB50] an empty workspace has a button that copies a folder, and says how far that is", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await page.goto(`${world.daemon().url}/#/workspace`);
    using folder = scratchDirectory();
    for (let n = 0; n < 8_000; n += 1) writeFileSync(join(folder.path, `file-${n}.txt`), `This is ${n}.\n`);
    // What is shown for moments is remembered, however quick the machine is.
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seenProgress: seen });
      new MutationObserver(() => {
        const bar = document.querySelector("progress[aria-label='Files copied']");
        if (bar !== null) seen.push(`${bar.getAttribute("max")}: ${bar.parentElement?.textContent ?? ""}`);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await page.getByRole("main").getByRole("button", { name: "Copy a folder" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(folder.path);
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByText("8,000 files copied.").first().waitFor();
    await page.getByText("Nothing is changed.").waitFor();
    const seen = await page.evaluate(
      () => (globalThis as unknown as { seenProgress: string[] }).seenProgress,
    );
    expect(seen).toContainEqual(expect.stringMatching(/^8000: .*of 8,000 files/s));
    expect(complaints).toEqual([]);
  });

  test("[WB50] [WB93] lists without anything in them have a button that leads to it, and nothing that was typed is lost by it", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    const box = page.getByLabel("Message", { exact: true });
    await box.fill("My own words");
    const [first, second] = [page.locator(".prompts button").first(), page.locator(".prompts button").nth(1)];
    const said = async (): Promise<string> => await box.inputValue();
    await first.click();
    expect(await said()).toBe(`My own words\n${await first.locator(".title").textContent()}`);
    await box.fill("");
    await first.click();
    await second.click();
    expect(await said()).toBe(await second.locator(".title").textContent());
    await box.fill("My own words");
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByText("A webhook is an address where another system").waitFor();
    await page.getByRole("link", { name: "New task" }).click();
    await page.getByLabel("What should Deputy do?").fill("Half a task");
    await draftIsKept(page, "new task", "Half a task");
    await page.goBack();
    await page.reload();
    await page.getByRole("link", { name: "New task" }).click();
    await expect.poll(() => page.getByLabel("What should Deputy do?").inputValue()).toBe("Half a task");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "New task" }).click();
    await page.getByLabel("What should Deputy do?").waitFor();
    expect(await page.getByLabel("What should Deputy do?").inputValue()).toBe("");
    await page.goBack();
    await page.getByRole("button", { name: "New reminder" }).click();
    await expect.poll(said).toBe("My own words\nRemind me at 17:00 to ");
    await box.fill("");
    expect(complaints).toEqual([]);
  });

  test("[WB49] what a turn may take is a line beside the largest turn of each day", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Take some tokens");
    const answering = await world.model.asked();
    answering.write("Taken.");
    answering.end();
    await page.getByRole("log").getByText("Taken.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await page.goto(`${world.daemon().url}/#/usage`);
    const plot = page.getByRole("region", { name: "Largest turn of each day" });
    // A line across has no height, and counts as hidden.
    await plot.locator("line.limit").waitFor({ state: "attached" });
    await plot.getByText("A turn stops at 20,000 tokens").waitFor();
    await plot.getByText("Table").click();
    await plot
      .getByRole("cell", { name: /,\d{3}$/ })
      .first()
      .waitFor();
    const costs = page.getByRole("region", { name: "Most expensive turn of each day" });
    await costs.getByText("A turn stops at $0.50").waitFor();
    expect(await costs.locator("svg text.amount").textContent()).toMatch(/^\$0\.\d+$/);
    await page.getByText("A turn stops at 20,000 tokens or $0.50.", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
