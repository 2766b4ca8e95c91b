import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";
import { jsonLines, runDeputy, TOKEN } from "./run-deputy.ts";

const ENV = { DEPUTY_TOKEN: TOKEN };

describe.skipIf(noBrowser)("conversations on the page", () => {
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

  /** One question and its answer. */
  async function talk(page: Page, text: string, answer: string): Promise<void> {
    await say(page, text);
    const answering = await world.model.asked();
    answering.write(answer);
    answering.end();
    await page.getByRole("log").getByText(answer).last().waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  }
  const log = (page: Page) => page.getByRole("log");
  const listed = (page: Page, title: string) =>
    page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: title });

  test("[WB2] an answer streams as Markdown, and what is finished is not drawn again", async () => {
    const { page, complaints } = await open();
    await say(page, "Tell me in a table");
    const answering = await world.model.asked();
    answering.write("# First\n\nOne **bold** word.\n\n");
    await log(page).getByRole("heading", { name: "First" }).waitFor();
    await page.evaluate(() => {
      document.querySelector("markdown-text h3")?.setAttribute("data-same", "yes");
    });
    answering.write("| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst x = 1;\n");
    await log(page).getByRole("cell", { name: "2" }).waitFor();
    answering.write("```\n\nThe end of it.");
    answering.end();
    await log(page).getByText("The end of it.").waitFor();
    expect(await page.locator("markdown-text h3[data-same=yes]").count()).toBe(1);
    expect(await log(page).locator("figure.code code").textContent()).toContain("const x = 1;");
    await page.reload();
    await log(page).getByRole("cell", { name: "2" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB2] who goes elsewhere while an answer is written finds it as far as it is on coming back", async () => {
    const { page } = await open();
    await say(page, "Take your time");
    const answering = await world.model.asked();
    answering.write("The first half of the answer is here, and ");
    await log(page).getByText("The first half").waitFor();
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { name: "Tasks", exact: true }).waitFor();
    answering.write("a part that nobody looked at, and ");
    await page.goBack();
    await log(page).getByText("The first half of the answer is here").waitFor();
    answering.write("the second half of it as well, and ");
    await log(page).getByText("a part that nobody looked at, and the second half").waitFor();
    answering.write("that was all.");
    answering.end();
    await log(page)
      .getByText(
        "The first half of the answer is here, and a part that nobody looked at, and the second half",
      )
      .waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    expect(await log(page).locator(".row-answer").count()).toBe(1);
  });

  test("[WB2] a message during a run joins it, stands below what is being written, and Stop stops it", async () => {
    const { page } = await open();
    await say(page, "Write a long story");
    const answering = await world.model.asked();
    answering.write("Once upon a time there was a deputy and ");
    await log(page).getByText("Once upon a time").waitFor();
    const placeOfSend = () => page.getByRole("button", { name: "Send", exact: true }).boundingBox();
    const sendWhileItRuns = await placeOfSend();
    await say(page, "Make it short");
    await log(page).getByText("Make it short").waitFor();
    const order = await log(page)
      .locator(".row")
      .evaluateAll((rows) => rows.map((row) => row.className));
    expect(order.map((name) => name.replace("row row-", ""))).toEqual(["said", "answer", "said"]);
    await page.getByRole("button", { name: "Stop" }).click();
    await log(page).getByText("You stopped it.").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("message");
    expect(await placeOfSend()).toEqual(sendWhileItRuns);
    await answering.gone;
    await log(page).getByRole("button", { name: "Try again" }).click();
    const again = await world.model.asked();
    again.write("Short.");
    again.end();
    await log(page).getByText("Short.", { exact: true }).waitFor();
    expect(await log(page).getByText("Make it short").count()).toBe(1);
    await log(page).getByText("You asked again").waitFor();
  });

  test("[WB98] what is said in the midst of an answer is shown below it, and the answer stays in sight", async () => {
    const { page } = await open();
    await say(page, "Tell me everything");
    const answering = await world.model.asked();
    // The last words are held back until it is sure that they are no secret.
    const unsure = "And so it goes on, and on, and on for quite a while.\n\n";
    answering.write(`It begins.\n\n${unsure}`);
    const begins = log(page).getByText("It begins.");
    await begins.waitFor();
    const place = async (what: Locator) => (await what.boundingBox()) ?? { y: 0, height: 0 };
    const before = await place(begins);
    await say(page, "First aside");
    await log(page).getByText("First aside").waitFor();
    await log(page).getByText("Deputy reads this after the answer above.").waitFor();
    expect(await log(page).getByText("Thinking…").count()).toBe(0);
    expect((await place(begins)).y).toBeCloseTo(before.y, 0);
    for (let at = 0; at < 40; at += 1) answering.write(`Sentence ${at}.\n\n`);
    answering.write(unsure);
    await log(page).getByText("Sentence 39.").waitFor({ state: "attached" });
    await say(page, "Second aside");
    const floor = (await place(page.locator(".composer"))).y;
    const isInSight = async (text: string): Promise<boolean> => {
      const { y, height } = await place(log(page).getByText(text, { exact: true }));
      return y > 0 && y + height < floor;
    };
    for (const text of ["Sentence 39.", "First aside", "Second aside"])
      await expect.poll(() => isInSight(text)).toBe(true);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  });

  test("[WB2] between a program and what comes next, the page says that Deputy thinks", async () => {
    const { page } = await open();
    await say(page, "Use a tool");
    const thinking = log(page).getByText("Thinking…");
    const first = await world.model.asked();
    await thinking.waitFor();
    first.call("run_code", { code: "return await tools.rows.list({ count: 2 });" });
    const second = await world.model.asked();
    await log(page)
      .getByRole("button", { name: /Ran a program: rows\.list/ })
      .waitFor();
    await thinking.waitFor();
    second.write("There are two rows in it, as one can see above, and ");
    await log(page).getByText("There are two rows").waitFor();
    await thinking.waitFor({ state: "hidden" });
    second.end();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  });

  test("[WB4] two tabs show the same at once, and what the command line does shows here and goes on here", async () => {
    const { page } = await open();
    await talk(page, "Hello from the first tab", "Hello, tab.");
    const second = await page.context().newPage();
    await second.goto(page.url());
    await log(second).getByText("Hello, tab.").waitFor();
    await say(second, "And from the second");
    const answering = await world.model.asked();
    answering.write("Both of you.");
    answering.end();
    await log(page).getByText("Both of you.").waitFor();
    expect(await log(page).getByText("And from the second").count()).toBe(1);
    const child = runDeputy(["run", "From the terminal", "--home", world.home], { env: ENV });
    const asked = await world.model.asked();
    asked.write("Seen.");
    asked.end();
    await child;
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByRole("link", { name: "From the terminal" }).waitFor();
    // A chat in the terminal is there while it is written, and goes on here.
    const chat = runDeputy(["chat", "--home", world.home], { env: ENV, input: "Chatting elsewhere\n" });
    const chatting = await world.model.asked();
    await listed(page, "Chatting elsewhere").click();
    chatting.write("Half of it, and");
    await log(page).getByText("Half of it").waitFor();
    chatting.write(" the rest.");
    chatting.end();
    await chat;
    await log(page).getByText("Half of it, and the rest.").waitFor();
    await talk(page, "Going on with it here", "Gladly.");
    expect(await log(page).locator(".row-said").count()).toBe(2);
  });

  test("[WB4] after a crash of the daemon nothing is lost and nothing comes twice", async () => {
    const { page } = await open();
    await talk(page, "Before the crash", "I am here.");
    await say(page, "In the middle");
    const answering = await world.model.asked();
    // The last word is held back: it could be the beginning of a secret.
    answering.write("Half of an answer and");
    await log(page).getByText("Half of an answer").waitFor();
    await world.restart();
    const again = await world.model.asked();
    again.write("The whole answer.");
    again.end();
    await log(page).getByText("The whole answer.").waitFor();
    expect(await log(page).getByText("In the middle").count()).toBe(1);
    expect(await log(page).getByText("I am here.").count()).toBe(1);
    await talk(page, "After it", "Still here.");
    const live = await log(page).locator(".row").count();
    await page.reload();
    await log(page).getByText("Still here.").waitFor();
    expect(await log(page).getByText("After it").count()).toBe(1);
    expect(await log(page).locator(".row-said").count()).toBe(3);
    expect(live).toBeGreaterThan(0);
  });

  test("[WB4] a message without a connection waits, says so, and is said once", async () => {
    const { page } = await open();
    await talk(page, "Connected", "Yes.");
    await page.context().setOffline(true);
    await page.evaluate(() => dispatchEvent(new Event("offline")));
    await world.daemon().end("SIGKILL");
    await page.getByText("The connection to Deputy is lost").waitFor();
    await say(page, "Said in the dark");
    await log(page).getByText("Queued").waitFor({ timeout: 90_000 });
    await page.context().setOffline(false);
    await world.restart();
    const answering = await world.model.asked();
    answering.write("Heard you.");
    answering.end();
    await log(page).getByText("Heard you.").waitFor();
    expect(await log(page).getByText("Said in the dark").count()).toBe(1);
    await log(page).getByText("Queued").waitFor({ state: "hidden" });
  });

  test("[WB8] [WB87] conversations are renamed, archived, exported, copied and deleted", async () => {
    const { page } = await open();
    await talk(page, "Keep this safe", "Kept.");
    const act = async (title: string, action: string): Promise<void> => {
      await page
        .getByRole("button", { name: `What to do with ${title}` })
        .first()
        .click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await act("Keep this safe", "Rename");
    await page.getByRole("textbox", { name: "Name" }).fill("The safe one");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await listed(page, "The safe one").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      act("The safe one", "Export as Markdown"),
    ]);
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toContain("# The safe one");
    expect(text).toContain("Kept.");
    await act("The safe one", "Continue in a copy");
    await expect.poll(() => page.getByRole("heading", { name: "Keep this safe" }).count()).toBe(1);
    await talk(page, "Only in the copy", "Copied.");
    await listed(page, "The safe one").click();
    await log(page).getByText("Kept.").waitFor();
    expect(await log(page).getByText("Only in the copy").count()).toBe(0);
    await act("The safe one", "Archive");
    await listed(page, "The safe one").waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    await page.goto(`${world.daemon().url}/#/archive`);
    await page.getByRole("main").getByRole("link", { name: "The safe one" }).waitFor();
    await act("The safe one", "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Conversations that you archive are here").waitFor();
    const { stdout } = await runDeputy(["sessions", "search", "Kept.", "--json", "--home", world.home], {
      env: ENV,
    });
    const hits = jsonLines(stdout).filter(({ snippet }) => snippet !== undefined);
    expect(hits.filter(({ role }) => role === "assistant")).toEqual([]);
  });

  test("[WB8] an earlier message is said differently, in a copy; the original stays", async () => {
    const { page } = await open();
    await talk(page, "What is two and two", "Four.");
    const original = page.url();
    await talk(page, "And three and three", "Seven.");
    await log(page).locator(".row-said").last().hover();
    await log(page).locator(".row-said").last().getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog").getByLabel("Message").fill("And four and four");
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    const answering = await world.model.asked();
    answering.write("Eight.");
    answering.end();
    await log(page).getByText("Eight.").waitFor();
    expect(page.url()).not.toBe(original);
    expect(await log(page).getByText("Seven.").count()).toBe(0);
    await log(page).getByText("Four.").waitFor();
    await page.goto(original);
    await log(page).getByText("Seven.").waitFor();
  });

  test("[WB8] an answer is asked for again, in a copy; the original stays", async () => {
    const { page } = await open();
    await talk(page, "Name a number", "One.");
    const original = page.url();
    await talk(page, "And another", "Two.");
    await log(page).locator(".row-answer").last().hover();
    await log(page).locator(".row-answer").last().getByRole("button", { name: "Ask again" }).click();
    const answering = await world.model.asked();
    expect(JSON.stringify(answering.messages.at(-1)?.content)).toContain("And another");
    answering.write("Three.");
    answering.end();
    await log(page).getByText("Three.").waitFor();
    expect(page.url()).not.toBe(original);
    expect(await log(page).getByText("Two.").count()).toBe(0);
    await log(page).getByText("One.", { exact: true }).waitFor();
    await page.goto(original);
    await log(page).getByText("Two.").waitFor();
  });

  test("[WB8] words are found in messages, and the hit opens at its place; all by keyboard", async () => {
    const { page } = await open();
    await talk(page, "The secret word is quokka", "I will not forget it.");
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByRole("heading", { name: "Tasks" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("quokka");
    await page.getByRole("dialog").locator("mark").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await log(page).getByText("quokka").first().waitFor();
    expect(page.url()).toMatch(/\?at=\d+&words=quokka$/);
  });

  test("[WB9] a draft and its files stay with their conversation, through a reload; a file goes along", async () => {
    const { page } = await open();
    await talk(page, "For the drafts", "Go on.");
    const pixel = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await page
      .getByLabel("Attach files")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: pixel });
    await page.getByText("dot.png").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Half a thought");
    await page.getByRole("link", { name: "New conversation" }).click();
    await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("");
    await page.goBack();
    await page.reload();
    await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("Half a thought");
    await page.getByText("dot.png").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    const answering = await world.model.asked();
    answering.write("Nice dot.");
    answering.end();
    await log(page).getByText("Nice dot.").waitFor();
    await log(page).getByRole("img", { name: "dot.png" }).waitFor();
  });

  test("[WB9] a draft outlives a reload that comes with the last letter", async () => {
    const { page } = await open();
    const box = page.getByLabel("Message", { exact: true });
    for (const text of ["Half a thought", "Another", ""]) {
      await Promise.all([
        page.waitForEvent("load"),
        box.evaluate((element: HTMLTextAreaElement, typed) => {
          element.value = typed;
          element.dispatchEvent(new Event("input"));
          location.reload();
        }, text),
      ]);
      await page.getByRole("heading", { name: "What should Deputy do?" }).waitFor();
      await expect.poll(() => box.inputValue()).toBe(text);
    }
    expect(await page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain("draft");
  });

  test("[WB9] what is typed before the draft was read comes after it, and is never lost", async () => {
    const { page } = await open();
    const box = page.getByLabel("Message", { exact: true });
    await box.fill("Half a thought");
    // Another tab keeps the browser's store busy: it shows drafts when that is over.
    const other = await page.context().newPage();
    await other.goto(`${world.daemon().url}/icon.svg`);
    const busy = other.evaluate(
      () =>
        new Promise<void>((done, fail) => {
          const opening = indexedDB.open("deputy-drafts-2");
          opening.onerror = () => fail(new Error("no store"));
          opening.onsuccess = () => {
            const drafts = opening.result.transaction("drafts", "readwrite").objectStore("drafts");
            const isOver = () => document.documentElement.dataset["over"] === "yes";
            const again = (): void => {
              drafts.get("new").onsuccess = () => (isOver() ? opening.result.close() : again());
            };
            again();
            document.documentElement.dataset["busy"] = "yes";
            drafts.transaction.oncomplete = () => done();
          };
        }),
    );
    await other.waitForFunction(() => document.documentElement.dataset["busy"] === "yes");
    await page.reload();
    await box.pressSequentially("and the rest");
    await page.getByRole("button", { name: "Send", exact: true }).and(page.locator(":enabled")).waitFor();
    await other.evaluate(() => (document.documentElement.dataset["over"] = "yes"));
    await busy;
    await expect.poll(() => box.inputValue()).toBe("Half a thought\nand the rest");
    await other.close();
    await page.reload();
    await expect.poll(() => box.inputValue()).toBe("Half a thought\nand the rest");
  });

  test("[WB9] a file that is still on its way stays with the conversation where it was attached", async () => {
    const { page } = await open();
    await talk(page, "Where files come late", "Go on.");
    const held = Promise.withResolvers<void>();
    await page.route("**/api/blobs**", async (route) => {
      await held.promise;
      await route.continue();
    });
    const arrived = page.waitForResponse(/\/api\/blobs/);
    await page
      .getByLabel("Attach files")
      .setInputFiles({ name: "late.txt", mimeType: "text/plain", buffer: Buffer.from("late") });
    await page.getByText("Uploading…").waitFor();
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByText("What should Deputy do?").waitFor();
    held.resolve();
    await arrived;
    await page.getByText("Uploading…").waitFor({ state: "hidden" });
    expect(await page.getByText("late.txt").count()).toBe(0);
    await page.goBack();
    await page.getByText("late.txt").waitFor();
  });

  test("[WB9] Enter while a word is being composed sends nothing", async () => {
    const { page } = await open();
    await page.getByLabel("Message", { exact: true }).fill("こんにち");
    await page.evaluate(() => {
      const box = document.querySelector("#message");
      box?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }));
      box?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true }));
    });
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("こんにち");
    expect(page.url()).not.toContain("#/c/");
  });

  test("[WB10] what the reader looks at stands still while an answer grows below", async () => {
    const { page } = await open();
    const long = (word: string): string =>
      Array.from({ length: 30 }, (_, at) => `${word} ${at}.`).join("\n\n");
    await say(page, "A long one");
    const first = await world.model.asked();
    first.write(long("Line"));
    first.end();
    await log(page).getByText("Line 29.").waitFor();
    await say(page, "Another long one");
    const second = await world.model.asked();
    second.write("Beginning of it and");
    await log(page).getByText("Beginning of it").waitFor();
    // What was said has risen to the top, although there is little below it.
    const said = log(page).locator(".row-said").last();
    const fromTop = () =>
      said.evaluate(
        (row) => row.getBoundingClientRect().top - (row.closest(".scroll")?.getBoundingClientRect().top ?? 0),
      );
    await expect.poll(fromTop).toBeLessThan(40);
    expect(await fromTop()).toBeGreaterThanOrEqual(0);
    await page.locator(".scroll").hover();
    await page.mouse.wheel(0, -600);
    const place = () =>
      log(page)
        .getByText("Line 20.")
        .evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(place).toBeGreaterThan(0);
    await page.waitForFunction(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
    );
    const before = await place();
    for (let at = 0; at < 20; at += 1) second.write(`\n\nMore ${at}.`);
    second.end();
    await log(page).getByText("More 19.").waitFor({ state: "attached" });
    expect(Math.abs((await place()) - before)).toBeLessThan(2);
    await page.getByRole("button", { name: "New", exact: true }).click();
    await expect
      .poll(() =>
        page.locator(".scroll").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
      )
      .toBeLessThan(60);
  });
});
