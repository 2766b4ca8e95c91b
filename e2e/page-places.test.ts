import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("workspace, usage and memory on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    const prices = { "local/paced": { input: 3, output: 15 } };
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon({ prices })]);
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

  test("[WB25] [WB94] a folder is copied, changes are seen word by word, ticked, written and given up; a conflict is resolved in place", async () => {
    const real = join(world.home, "..", `${world.home.split("/").at(-1)}-real`);
    mkdirSync(join(real, "src"), { recursive: true });
    const names = ["one.txt", "two.txt", "src/three.txt"];
    for (const name of names) writeFileSync(join(real, name), `first line of ${name}\nthe cat sat\n`);
    const { page, complaints } = await open("workspace");
    // Whoever uses the keyboard is on this page after whatever takes a button away.
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);
    await page.getByRole("button", { name: "Copy a folder" }).press("Enter");
    await page.getByRole("dialog").getByRole("textbox").fill(real);
    await page.keyboard.press("Enter");
    await page.getByText("3 files copied.").first().waitFor();
    await expect.poll(focused).toBe("main");
    const kept = join(world.home, "workspace");
    const copy = join(kept, readFileSync(join(kept, "current"), "utf8").trim(), "tree");
    for (const name of names) writeFileSync(join(copy, name), `first line of ${name}\nthe dog sat\n`);
    writeFileSync(join(real, "two.txt"), "first line of two.txt\nthe bird sat\n");
    await page.reload();
    await page.getByRole("heading", { name: "3 changed files" }).waitFor();
    expect(await page.locator(".word").first().textContent()).toBe("cat");
    // On a phone a file's name keeps a line of its own beside its buttons.
    const window = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 844 });
    const name = await page.locator(".diff .path").first().boundingBox();
    expect(name?.height).toBeLessThan(40);
    await page.setViewportSize(window);
    await page.getByLabel("Show").selectOption("side");
    await page.locator(".diff-text.side-by-side").first().waitFor();
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
    // A folder that has gone takes nothing with it.
    renameSync(real, `${real}-away`);
    const write = page.getByRole("button", { name: "Write 2 files" });
    await write.press("Enter");
    await page.getByRole("alert").filter({ hasText: "There is no folder" }).waitFor();
    await expect.poll(() => write.evaluate((button) => button === document.activeElement)).toBe(true);
    renameSync(`${real}-away`, real);
    await write.press("Enter");
    await page.getByRole("heading", { name: "1 changed file", exact: true }).waitFor();
    await page.getByRole("alert").filter({ hasText: "There is no folder" }).waitFor({ state: "detached" });
    // What was viewed is written by now.
    await page.getByText("0 of 1 viewed").waitFor();
    expect(readFileSync(join(real, "two.txt"), "utf8")).toContain("the dog and the bird sat");
    expect(readFileSync(join(real, "one.txt"), "utf8")).toContain("dog");
    const commit = page.locator("details.commit").first();
    await commit.getByText("2 files changed").click();
    expect(await commit.locator(".lines").innerText()).toMatch(/one\.txt.*changed\s+two\.txt.*changed/s);
    await commit.getByText("by you").waitFor();
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Give them up" }).click();
    await page.getByText("Nothing is changed.").waitFor();
    expect(readFileSync(join(copy, "src/three.txt"), "utf8")).toContain("cat");
    // A long diff is in the document once it is unfolded, and then piece by piece.
    writeFileSync(join(copy, "one.txt"), Array.from({ length: 1_500 }, (_, at) => `line ${at}\n`).join(""));
    await page.reload();
    const long = page.locator("article.diff").filter({ hasText: "one.txt" });
    await long.getByText(/1,50\d lines: show/).waitFor();
    expect(await long.locator("tr").count()).toBe(0);
    await long.getByText(/lines: show/).click();
    await long.getByRole("button", { name: /^Show 50\d more lines of 50\d$/ }).click();
    await long.getByText("line 1499").waitFor();
    await page.getByText("All files").click();
    await page.locator(".tree summary").getByText("src").click();
    await page.locator(".tree .tree").getByText("three.txt").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB25] [WB87] conflicts are resolved with the keyboard alone, and only as they were shown", async () => {
    const real = join(world.home, "..", `${world.home.split("/").at(-1)}-conflicts`);
    mkdirSync(real, { recursive: true });
    const put = (folder: string, name: string, animal: string) =>
      writeFileSync(join(folder, name), `first line of ${name}\nthe ${animal} sat\n`);
    for (const name of ["gone.txt", "late.txt", "seen.txt"]) put(real, name, "cat");
    const { page, complaints } = await open("workspace");
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);
    await page.getByRole("button", { name: /^Copy/ }).press("Enter");
    await page.getByRole("dialog").getByRole("textbox").fill(real);
    await page.keyboard.press("Enter");
    await page.getByText("3 files copied.").first().waitFor();
    const kept = join(world.home, "workspace");
    const copy = join(kept, readFileSync(join(kept, "current"), "utf8").trim(), "tree");
    for (const name of ["gone.txt", "late.txt", "seen.txt"]) put(copy, name, "dog");
    for (const name of ["late.txt", "seen.txt"]) put(real, name, "bird");
    rmSync(join(real, "gone.txt"));
    await page.reload();
    await page.getByRole("button", { name: "Write 3 files" }).press("Enter");
    const file = (name: string) => page.getByRole("article", { name });
    const sides = page.getByLabel("What your file has now");
    await expect.poll(() => sides.count()).toBe(2);
    // The list leads into the file.
    await page.getByRole("link", { name: /^gone\.txt/ }).press("Enter");
    await expect.poll(focused).toBe("diff-gone.txt");
    await file("gone.txt").getByRole("button", { name: "Keep mine" }).press("Enter");
    await file("gone.txt").waitFor({ state: "detached" });
    await expect.poll(focused).toBe("main");
    await file("seen.txt").getByText("Merge by hand").press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("the dog and the bird sat");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await file("seen.txt").getByText("differently in one place").waitFor({ state: "detached" });
    // The reader has not seen what the file has by now.
    await file("late.txt").getByText("Merge by hand").press("Enter");
    await file("late.txt").getByLabel("Merged").fill("mine");
    put(real, "late.txt", "fish");
    await file("late.txt").getByRole("button", { name: "Take this" }).press("Enter");
    await page.getByText("The file is no longer as it was shown").waitFor();
    await file("late.txt").getByText("One of the two has changed meanwhile").waitFor();
    expect(await sides.innerText()).toContain("fish");
    expect(await file("late.txt").getByLabel("Merged").inputValue()).toBe("mine");
    await file("late.txt").getByRole("button", { name: "Take this" }).press("Enter");
    await file("late.txt").getByText("differently in one place").waitFor({ state: "detached" });
    expect(await file("late.txt").innerText()).toMatch(/fish[^]*dog/);
    await page.getByRole("button", { name: "Write 2 files" }).press("Enter");
    await page.getByText("Nothing is changed.").waitFor();
    expect(readFileSync(join(real, "seen.txt"), "utf8")).toBe("the dog and the bird sat");
    expect(complaints).toEqual([]);
  });

  test("[WB26] usage shows what a conversation took and cost, as plots with the numbers behind them", async () => {
    const { page, complaints } = await open("");
    await say(page, "Count the stars");
    const answering = await world.model.asked();
    answering.write("Too many.");
    answering.end();
    await page.getByRole("log").getByText("Too many.").waitFor();
    await page.locator(".page-head").getByText("1,234 tokens · $0.0041").waitFor();
    await page.goto(`${world.daemon().url}/#/usage`);
    const byModel = page.getByRole("region", { name: "By model" }).first();
    await byModel.locator("rect").first().waitFor({ state: "attached" });
    await byModel.getByText("Table").click();
    await byModel
      .getByRole("row", { name: /local\/paced/ })
      .getByRole("cell", { name: "1,200" })
      .waitFor();
    expect(await page.locator(".totals").innerText()).toMatch(/Cost\s+\$0\.00/);
    expect(await page.getByText("no known price").count()).toBe(0);
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

  test("[WB28] a turn says what it recalled and what it noted, and a note is undone there", async () => {
    const folder = join(world.home, "agents/main/memory");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "shops.md"),
      "# Shops\n\n- The accordion shop is called Pedalo. <!-- told by: mail eve -->\n",
    );
    const { page, complaints } = await open("");
    await say(page, "What is the accordion shop called?");
    (await world.model.asked()).call("run_code", {
      code: `return await tools.memory.remember({ text: "The accordion shop was asked for." });`,
    });
    await page.getByText("Recalled 1 note").click();
    const recalled = page.locator("recalled-fold");
    await recalled.getByText("The accordion shop is called Pedalo.").waitFor();
    await recalled.getByText("partly others’ words: mail eve").waitFor();
    await recalled.getByText("Recalled because it has accordion").waitFor();
    // It has read words of somebody else, so that a note asks.
    const approve = page.getByRole("button", { name: /^Approve/ });
    await approve.click();
    const answering = await world.model.asked();
    answering.write("Pedalo it is.");
    answering.end();
    await page.getByRole("log").getByText("Pedalo it is.").waitFor();
    const day = () => readdirSync(folder).find((name) => name.startsWith("20"));
    expect(readFileSync(join(folder, day() ?? ""), "utf8")).toContain("was asked for");
    await page.getByRole("button", { name: /^Undo: The accordion shop/ }).click();
    await page.getByText("Noted, and taken back").waitFor();
    expect(day() === undefined || readFileSync(join(folder, day() ?? ""), "utf8").trim()).not.toContain(
      "was asked for",
    );
    await recalled.getByRole("link", { name: /shops\.md/ }).click();
    await page.getByRole("heading", { name: "shops.md" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB27] [WB93] what is kept is listed, edited, undone and forgotten; nothing goes before it was shown", async () => {
    const folder = join(world.home, "agents/main/memory");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "house.md");
    writeFileSync(file, "# House\n\n- The plumber is Ivo Novak.\n- The meter is in the cellar.\n");
    const { page, complaints } = await open("");
    await say(page, "Ivo Novak comes tomorrow");
    const answering = await world.model.asked();
    answering.write("I see.");
    answering.end();
    await page.getByRole("log").getByText("I see.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    const conversation = page.url();

    await page.getByRole("link", { name: "Memory" }).click();
    await page.getByRole("link", { name: /house\.md.*your words/ }).click();
    await page.getByText("The plumber is Ivo Novak.").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const box = page.getByRole("textbox", { name: "main/memory/house.md" });
    await box.fill("Half a sentence");
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByRole("link", { name: "Kept", exact: true }).click();
    await page.getByRole("link", { name: /house\.md.*your words/ }).click();
    await page.getByText("did not save is here again").waitFor();
    expect(await box.inputValue()).toBe("Half a sentence");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The plumber is Ivo Novak.").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await box.inputValue()).toContain("The plumber");
    writeFileSync(file, `${readFileSync(file, "utf8")}- The key is blue.\n`);
    await box.fill("# House\n\n- The plumber is Ivo Novak.\n- The door is red.\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The file was changed meanwhile").waitFor();
    expect(readFileSync(file, "utf8")).toContain("The key is blue.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".kept-item").getByText("The door is red.").waitFor();
    expect(readFileSync(file, "utf8")).toContain("The door is red.");

    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByRole("button", { name: "Undo the change of main/memory/house.md" }).first().click();
    await expect.poll(() => readFileSync(file, "utf8")).toContain("The key is blue.");
    const door = page.locator(".change").filter({ hasText: "The door is red." });
    await door.getByText("taken back").waitFor();

    await page.getByRole("link", { name: "Kept", exact: true }).click();
    await door.first().waitFor({ state: "hidden" });
    await page.getByRole("link", { name: /house\.md/ }).click();
    await page.getByRole("button", { name: "Forget “The key is blue.”" }).click();
    await page.getByText("1 line of notes").waitFor();
    expect(readFileSync(file, "utf8")).toContain("The key is blue.");
    await page.getByRole("button", { name: "Forget for good" }).click();
    await page.locator(".kept-item").getByText("The key is blue.").waitFor({ state: "hidden" });
    expect(readFileSync(file, "utf8")).not.toContain("The key is blue.");

    await page.getByRole("navigation", { name: "Memory" }).getByRole("link", { name: "Forget" }).click();
    await page.getByRole("button", { name: "Show what would go" }).click();
    await page.getByText("fill in at least one field").waitFor();
    await page.getByLabel("Person").fill("Ivo Novak");
    await page.getByRole("button", { name: "Show what would go" }).click();
    await page.getByText("Would go, for good").waitFor();
    expect(await page.locator(".lines-to-forget > li").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Forget for good" }).click();
    await page.locator(".forget-card").getByText("Forgotten").waitFor();
    expect(readFileSync(file, "utf8")).toContain("The meter is in the cellar.");
    expect(readFileSync(file, "utf8")).not.toContain("Ivo");
    await page.goto(conversation);
    await page.getByRole("log").getByText("I see.").waitFor();
    expect(await page.getByRole("log").getByText("Ivo Novak comes").count()).toBe(0);
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

  test("[WB92] what a turn did to the agents' copy is taken back after a look at what that changes, and brought back", async () => {
    const real = join(world.home, "..", `${world.home.split("/").at(-1)}-undo`);
    mkdirSync(real);
    writeFileSync(join(real, "pets.txt"), "the cat sat\n");
    const { page, complaints } = await open("workspace");
    await page.getByRole("button", { name: /^Copy (?:a folder|again)$/ }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(real);
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByText("1 file copied.").first().waitFor();
    expect(await page.getByText("Take back").count()).toBe(0);
    await page.goto(`${world.daemon().url}/#/`);
    await say(page, "Make it a dog");
    const code = `await tools.shell.run({ script: "echo 'the dog sat' > pets.txt; echo new > more.txt" });`;
    (await world.model.asked()).call("run_code", { code });
    const answering = await world.model.asked();
    answering.write("A dog it is.");
    answering.end();
    await page.getByRole("log").getByText("A dog it is.").waitFor();
    await page.getByRole("link", { name: "Workspace" }).click();
    await page.getByRole("heading", { name: "2 changed files" }).waitFor();
    await page.getByText(/^Before a turn/).waitFor();
    await page.getByRole("button", { name: "Take back…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/more\.txt \(goes away\), pets\.txt \(as before\)/).waitFor();
    await dialog.getByRole("button", { name: "Take back" }).click();
    await page.getByText("Nothing is changed.").waitFor();
    await page.locator(".told").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "2 changed files" }).waitFor();
    await page.locator(".word").getByText("dog").waitFor();
    expect(readFileSync(join(real, "pets.txt"), "utf8")).toContain("cat");
    expect(complaints).toEqual([]);
  });
});
