import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findViolations } from "./find-violations.ts";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";
import { scratchDirectory, startDaemon } from "./run-deputy.ts";

describe.skipIf(noBrowser)("what is said on the page, and what is heard", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });
  const open = (options = {}) => openSignedIn(browser, world.daemon().url, options);
  const attached = (page: Page) => page.getByLabel("Attached files");

  /** As a browser tells of it; the files are made in the page, since no clipboard of the machine has any. */
  async function give(
    page: Page,
    how: "paste" | "drop",
    given: { readonly text?: string; readonly file?: string },
    where = page.getByLabel("Message", { exact: true }),
  ): Promise<boolean> {
    return await where.evaluate(
      (box, { kind, text, file }) => {
        const data = new DataTransfer();
        if (text !== undefined) data.setData("text/plain", text);
        if (file !== undefined) data.items.add(new File(["some bytes"], file, { type: "image/png" }));
        const init = { bubbles: true, cancelable: true };
        return !box.dispatchEvent(
          kind === "paste"
            ? new ClipboardEvent("paste", { ...init, clipboardData: data })
            : new DragEvent("drop", { ...init, dataTransfer: data }),
        );
      },
      { kind: how, ...given },
    );
  }

  test("[WB55] [WB95] files come by drop, wherever they are dropped, paste and camera; a long paste becomes a file, and text again on request", async () => {
    const { page, complaints } = await open({ hasTouch: true });
    await give(page, "drop", { file: "dropped.png" });
    await give(page, "paste", { file: "pasted-picture.png" });
    await page.locator(".welcome").dispatchEvent("dragover", {
      dataTransfer: await page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(new File(["some bytes"], "held.png"));
        return data;
      }),
    });
    await page.getByText("Drop files here to attach them").waitFor();
    await give(page, "drop", { file: "elsewhere.png" }, page.locator(".welcome h1"));
    await page.getByText("Drop files here to attach them").waitFor({ state: "hidden" });
    for (const name of ["dropped.png", "pasted-picture.png", "elsewhere.png"])
      await attached(page).getByText(name).waitFor();
    await attached(page).getByRole("button", { name: "Remove elsewhere.png" }).click();
    const long = "A line of a long text.\n".repeat(400);
    await give(page, "paste", { text: long });
    await attached(page).getByText("pasted.txt").waitFor();
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("");
    await attached(page).getByRole("button", { name: "Put back as text" }).click();
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe(long);
    await attached(page).getByText("pasted.txt").waitFor({ state: "detached" });
    // What no message could take cannot be put back; what is too large is never sent.
    await give(page, "paste", { text: "Words of a whole book. ".repeat(10_000) });
    await attached(page).getByText("pasted.txt").waitFor();
    expect(await attached(page).getByRole("button", { name: "Put back as text" }).count()).toBe(0);
    await attached(page).getByRole("button", { name: "Remove pasted.txt" }).click();
    await page.getByLabel("Message", { exact: true }).evaluate((box) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(25_000_001)], "film.mp4", { type: "video/mp4" }));
      box.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    });
    await page.getByText("film.mp4: It is larger than 25 MB.").waitFor();
    await give(page, "paste", { text: long });
    await attached(page).getByRole("button", { name: "Remove dropped.png" }).click();
    expect(await page.locator(".composer input[type=file][capture]").count()).toBe(1);
    await say(page, "Look at these");
    const answering = await world.model.asked();
    expect(JSON.stringify(answering.messages)).toContain("pasted.txt");
    answering.write("Seen.");
    answering.end();
    const said = page.getByRole("log").locator(".row-said");
    for (const name of ["pasted-picture.png", "pasted.txt"])
      await said.getByRole("button", { name }).or(said.getByRole("img", { name })).first().waitFor();
    expect(await said.getByText("dropped.png").count()).toBe(0);
    await page.goto(`${world.daemon().url}/#/usage`);
    expect(
      await give(page, "drop", { file: "stray.png" }, page.getByRole("heading", { name: "Usage" })),
    ).toBe(true);
    expect(await give(page, "drop", { text: "words" }, page.getByRole("heading", { name: "Usage" }))).toBe(
      false,
    );
    expect(complaints).toEqual([]);
  });

  test("[WB56] a screen reader hears that it started, that it waits, and the answer once, whole", async () => {
    const { page } = await open();
    const heard: string[] = [];
    await page.exposeFunction("hear", (text: string) => heard.push(text));
    await page.evaluate(() => {
      const region = document.querySelector("p[role=status][aria-live=polite]");
      const { hear } = globalThis as unknown as { hear: (text: string) => void };
      new MutationObserver(() => hear(region?.textContent?.trim() ?? "")).observe(region as Element, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    await say(page, "Mail Ada");
    const code = `return await tools.mail.send({ to: "ada@example.org", subject: "Hi" });`;
    (await world.model.asked()).call("run_code", { code });
    await page.getByRole("log").getByRole("button", { name: "Approve" }).click();
    const answering = await world.model.asked();
    for (const piece of ["The mail", " is out", ", and nothing else."]) answering.write(piece);
    answering.end();
    await expect.poll(() => heard.at(-1)).toContain("The mail is out, and nothing else.");
    expect(heard.filter((text) => text.includes("started"))).toHaveLength(1);
    expect(heard.filter((text) => /waits for you|asks/i.test(text))).toHaveLength(1);
    expect(heard.filter((text) => text.includes("The mail"))).toHaveLength(1);
    expect(await page.getByRole("log").getAttribute("aria-live")).toBe("off");
  });

  test("[WB61] the composer completes commands, skills and files: with the keyboard, with a tap, and as a screen reader hears it", async () => {
    const skill = join(world.home, "skills", "weekly-report");
    mkdirSync(skill, { recursive: true });
    writeFileSync(
      join(skill, "SKILL.md"),
      "---\nname: weekly-report\ndescription: How to write one\n---\nShort.",
    );
    mkdirSync(join(world.home, "commands"), { recursive: true });
    writeFileSync(join(world.home, "commands", "greet.md"), "Say good morning to $1, twice.");
    using folder = scratchDirectory();
    mkdirSync(join(folder.path, "notes"));
    for (const name of ["notes/plan.md", "notes/my plan.md", "todo.md"])
      writeFileSync(join(folder.path, name), "A line.\n");
    const { page, complaints } = await open();
    await page.goto(`${world.daemon().url}/#/workspace`);
    await page.getByRole("main").getByRole("button", { name: "Copy a folder" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(folder.path);
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByText("3 files copied.").first().waitFor();
    await page.goto(world.daemon().url);

    const box = page.getByLabel("Message", { exact: true });
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
    const chosen = options.and(page.locator('[aria-selected="true"]'));
    await box.click();
    await page.keyboard.type("/");
    await options.filter({ hasText: "weekly-report" }).waitFor();
    await options.filter({ hasText: "greet" }).waitFor();
    expect(await options.count()).toBeGreaterThan(8);
    expect(await box.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"));
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => box.getAttribute("aria-activedescendant")).toBe("suggestion-1");
    await page.keyboard.press("Escape");
    await options.first().waitFor({ state: "detached" });
    expect(await box.inputValue()).toBe("/");
    expect(await box.getAttribute("aria-activedescendant")).toBeNull();
    expect(await box.getAttribute("aria-controls")).toBeNull();
    // It stays closed there until one begins anew.
    await page.keyboard.type("n");
    expect(await options.count()).toBe(0);
    await box.fill("");
    await box.fill("/wee");
    await chosen.filter({ hasText: "weekly-report" }).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => box.inputValue()).toBe("Use the skill weekly-report: ");

    await page.keyboard.type("read @pln");
    await chosen.filter({ hasText: "notes/plan.md" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => box.inputValue()).toBe("Use the skill weekly-report: read notes/plan.md ");
    await page.keyboard.type("and @my");
    await options.filter({ hasText: "notes/my plan.md" }).click();
    const whole = 'Use the skill weekly-report: read notes/plan.md and "notes/my plan.md" ';
    await expect.poll(() => box.inputValue()).toBe(whole);
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.reload();
    await expect.poll(() => box.inputValue()).toBe(whole);

    await box.fill("/nothing-fits");
    await page.getByText("No command fits").waitFor();
    await box.fill("/effo");
    await chosen.filter({ hasText: "effort" }).waitFor();
    await page.keyboard.press("Enter");
    await options.filter({ hasText: "High effort" }).first().waitFor();
    await page.keyboard.type("low");
    await chosen.filter({ hasText: "Low effort" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByLabel("Effort", { exact: true }).inputValue()).toBe("low");
    expect(await box.inputValue()).toBe("");

    await box.fill('/greet "Ada L."');
    await page.keyboard.press("Enter");
    const answering = await world.model.asked();
    expect(answering.effort).toBe("low");
    await page
      .getByRole("log")
      .locator(".row-said")
      .getByText("Say good morning to Ada L., twice.")
      .waitFor();
    await box.fill("/stop");
    await chosen.filter({ hasText: "stop" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await box.fill("/rename Other");
    await page.keyboard.press("Enter");
    await page.getByText("/rename takes nothing after it.").waitFor();
    expect(await box.inputValue()).toBe("/rename Other");
    await box.fill("/rena");
    await chosen.filter({ hasText: "rename" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("textbox").fill("Greetings");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Greetings" }).waitFor();
    await box.fill("/new");
    await page.keyboard.press("Enter");
    await page.getByText("What should Deputy do?").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB57] without a model, the rehearsal says so, its prompts work, and a week of the demo passes in a minute", async () => {
    const home = scratchDirectory();
    const daemon = await startDaemon(home.path);
    onTestFinished(async () => {
      await daemon.end("SIGKILL");
      home[Symbol.dispose]();
    });
    const { page, complaints } = await openSignedIn(browser, daemon.url);
    await page.getByText("This is the rehearsal").waitFor();
    const week = page.getByRole("button", { name: "Show me a week in a minute" });
    await week.click();
    await page.getByText("In the demo it is").waitFor();
    expect(await week.isDisabled()).toBe(true);
    await page.locator(".prompts button").first().click();
    if (!page.url().includes("/c/")) await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("log").locator(".row-said").first().waitFor();
    await page.getByRole("log").locator(".row-answer, section.approval").first().waitFor();
    await page.getByText("The rehearsal answers").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
