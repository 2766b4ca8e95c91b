import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openCuttingProxy, type CuttingProxy } from "./cutting-proxy.ts";
import { openSignedIn, type PageDaemon, say, signIn, startPageDaemon } from "./page-world.ts";
import { TOKEN } from "./run-deputy.ts";

describe.skipIf(noBrowser)("what a page does without a connection", () => {
  let browser: Browser;
  let world: PageDaemon;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
    proxy = await openCuttingProxy(world.daemon().url);
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  const open = async () => {
    onTestFinished(() => {
      proxy.open();
      world.model.forget();
    });
    const { page } = await openSignedIn(browser, proxy.url);
    return page;
  };
  const log = (page: Page) => page.getByRole("log");
  const lost = (page: Page) => page.getByText("The connection to Deputy is lost");
  /** The page tries by itself, too, and may be back before the button is found. */
  const tryNow = (page: Page) =>
    Promise.any([
      page.getByRole("button", { name: "Try now" }).click(),
      lost(page).waitFor({ state: "hidden" }),
    ]);
  async function answerNext(text: string): Promise<void> {
    const answering = await world.model.asked();
    answering.write(text);
    answering.end();
  }
  async function answer(page: Page, text: string): Promise<void> {
    await answerNext(text);
    await log(page).getByText(text).last().waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  }
  async function talk(page: Page, text: string, answered: string): Promise<void> {
    await say(page, text);
    await answer(page, answered);
  }
  /** What was said and answered, as it stands there; the same live and after a reload. */
  const rows = (page: Page) =>
    log(page)
      .locator(".row :is(.bubble, .prose)")
      .evaluateAll((found) => found.map((one) => one.textContent?.trim()));
  async function expectRows(page: Page, expected: readonly string[]): Promise<void> {
    await expect.poll(() => rows(page)).toEqual(expected);
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(expected);
    await log(page).getByText("Queued").waitFor({ state: "hidden" });
    await log(page).getByText("Uncertain").waitFor({ state: "hidden" });
  }

  test("[WB99] what changes while the list is on its way is in it, whichever answer comes first", async () => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const release = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    let isReleased = false;
    await page.routeWebSocket(/./, (socket) => {
      const daemon = socket.connectToServer();
      let whole: unknown;
      socket.onMessage((message) => {
        const { id, method, params } = JSON.parse(String(message));
        if (method === "sessions.list" && params.ids === undefined) whole ??= id;
        daemon.send(message);
      });
      daemon.onMessage((message) => {
        const { id, event, data } = JSON.parse(String(message));
        const isHeld = whole !== undefined && id === whole;
        if (isHeld) {
          asked.resolve();
          void release.promise.then(() => socket.send(message));
          return;
        }
        // What the page is told before the list comes must be enough.
        if (event === "changed" && isReleased) return;
        socket.send(message);
        if (event === "changed" && data.sessions.length > 0) told.resolve();
      });
    });
    await page.goto(proxy.url);
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await asked.promise;
    const other = await open();
    await talk(other, "Begun meanwhile", "Hello there.");
    await told.promise;
    isReleased = true;
    release.resolve();
    await page.locator(".conversations").getByText("Begun meanwhile").waitFor();
  });

  test("[WB4] a proxy that cuts again and again loses nothing and doubles nothing", async () => {
    const page = await open();
    await say(page, "Count to five");
    const answering = await world.model.asked();
    for (const number of ["one", "two", "three", "four", "five"]) {
      answering.write(`${number}, and then `);
      await log(page).getByText(`${number}, and`).waitFor();
      proxy.cut();
    }
    answering.end();
    await log(page).getByText("five, and then").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    proxy.cut();
    await talk(page, "And after it", "Done.");
    await expectRows(page, [
      "Count to five",
      "one, and then two, and then three, and then four, and then five, and then",
      "And after it",
      "Done.",
    ]);
  });

  test("[WB52] twenty cuts, in the midst of messages, questions and answers: each is said, asked, answered and done once, without a reload", async () => {
    const page = await open();
    const card = log(page).getByRole("region");
    const approve = card.getByRole("button", { name: "Approve" });
    await talk(page, "Are you there?", "Yes.");
    await page.evaluate(() => document.documentElement.setAttribute("data-mark", "the same page"));
    const expected = ["Are you there?", "Yes."];
    for (let round = 1; round <= 5; round += 1) {
      // Said while there is no connection.
      proxy.cut();
      await say(page, `Mail number ${round}`);
      const code = `return await tools.mail.send({ to: "ada@example.org", subject: "Number ${round}" });`;
      (await world.model.asked()).call("run_code", { code });
      await expect.poll(() => approve.isEnabled().catch(() => false)).toBe(true);
      // Answered while there is none, or cut before or after the daemon has heard it.
      if (round === 1) proxy.cut();
      const when = round % 2 === 0 ? "before" : "after";
      const sprung = round === 1 ? undefined : proxy.cutAt("exec.approve", when);
      await approve.click();
      await sprung;
      if (sprung !== undefined && when === "before") {
        await card.getByRole("alert").getByText("The connection was lost before Deputy answered.").waitFor();
        await approve.click();
      }
      const answering = await world.model.asked();
      expect(JSON.stringify(answering.messages)).toContain(`Sent: Number ${round}`);
      for (const piece of ["Mail ", "number ", `${round} `, "is out."]) {
        answering.write(piece);
        proxy.cut();
      }
      answering.end();
      await log(page).getByText(`Mail number ${round} is out.`).waitFor();
      await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
      expected.push(`Mail number ${round}`, `Mail number ${round} is out.`);
    }
    // One question while nothing gets through: the page says so, and takes the answer later.
    await say(page, "The last mail");
    const code = `return await tools.mail.send({ to: "ada@example.org", subject: "The last" });`;
    (await world.model.asked()).call("run_code", { code });
    await expect.poll(() => approve.isEnabled().catch(() => false)).toBe(true);
    proxy.close();
    await lost(page).waitFor();
    await approve.click();
    await card.getByRole("alert").getByText("There is no connection to Deputy at the moment.").waitFor();
    proxy.open();
    await tryNow(page);
    await lost(page).waitFor({ state: "hidden" });
    await approve.click();
    await answer(page, "All are out.");
    expected.push("The last mail", "All are out.");
    await expect.poll(() => log(page).getByText("You approved").count()).toBe(6);
    await expect.poll(() => rows(page)).toEqual(expected);
    expect(await page.evaluate(() => document.documentElement.getAttribute("data-mark"))).toBe(
      "the same page",
    );
    // A page that is opened anew shows the end at first.
    await page.reload();
    await expect.poll(async () => (await rows(page)).slice(-6)).toEqual(expected.slice(-6));
  });

  test("[WB4] a message that is cut before the daemon hears it, or before its answer, is said once", async () => {
    const page = await open();
    await talk(page, "Hello", "Hi.");
    for (const when of ["before", "after"] as const) {
      const sprung = proxy.cutAt(`cut ${when}`, when);
      await say(page, `This is cut ${when}`);
      await sprung;
      await answer(page, `Heard ${when}.`);
    }
    await expectRows(page, [
      "Hello",
      "Hi.",
      "This is cut before",
      "Heard before.",
      "This is cut after",
      "Heard after.",
    ]);
  });

  test("[WB4] what was not sent is queued, what was sent without an answer is uncertain; both outlive a reload", async () => {
    const page = await open();
    await talk(page, "Before", "Fine.");
    const sprung = proxy.cutAt("uncertain one", "after");
    await say(page, "The uncertain one");
    await sprung;
    proxy.close();
    await log(page).getByText("Uncertain: sent, but").waitFor();
    await say(page, "The queued one");
    await log(page).getByText("Queued: not sent yet").waitFor();
    await lost(page).waitFor();
    proxy.open();
    await page.reload();
    await log(page).getByText("The queued one").waitFor();
    await answerNext("To the first.");
    // The second one joined, or is answered after it.
    await log(page).getByText("To the first.").waitFor();
    await answer(page, "To the second.");
    expect(await log(page).getByText("The uncertain one").count()).toBe(1);
    expect(await log(page).getByText("The queued one").count()).toBe(1);
    await page.reload();
    await log(page).getByText("The queued one").waitFor();
    expect(await log(page).locator(".row-said").count()).toBe(3);
  });

  test("[WB4] a conversation can begin without a connection, and a queued message can be taken back", async () => {
    const page = await open();
    proxy.close();
    await lost(page).waitFor();
    await say(page, "Begun in the dark");
    await log(page).getByText("Queued: not sent yet").waitFor();
    await say(page, "Never mind this");
    await expect.poll(() => log(page).getByText("Queued: not sent yet").count()).toBe(2);
    // What was not heard yet comes back with one key, to be said differently or not at all.
    const box = page.getByLabel("Message", { exact: true });
    await box.press("ArrowUp");
    await expect.poll(() => log(page).getByText("Queued: not sent yet").count()).toBe(1);
    expect(await box.inputValue()).toBe("Never mind this");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(() => log(page).getByText("Queued: not sent yet").count()).toBe(2);
    const discard = log(page).getByRole("button", { name: "Discard" }).last();
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 844 });
    // Beside a long line, too, its word is not broken.
    expect((await discard.boundingBox())?.height).toBeLessThan(40);
    await page.setViewportSize(size);
    await discard.click();
    await expect.poll(() => log(page).getByText("Queued: not sent yet").count()).toBe(1);
    proxy.open();
    await tryNow(page);
    await answer(page, "Light again.");
    await page.waitForURL(/#\/c\/ses_/);
    await expectRows(page, ["Begun in the dark", "Light again."]);
  });

  test("[WB31] files that are attached without a connection wait with their message, and are sent once", async () => {
    const page = await open();
    await talk(page, "Before the files", "Go on.");
    proxy.close();
    await lost(page).waitFor();
    const attach = page.locator(".composer input[type=file][multiple]");
    const file = (name: string, bytes: number): string => {
      const path = join(world.home, name);
      writeFileSync(path, Buffer.alloc(bytes, `${name} `));
      return path;
    };
    await attach.setInputFiles(file("small.txt", 2_000));
    await page.getByLabel("Attached files").getByText("small.txt").waitFor();
    await attach.setInputFiles(file("large.txt", 25_000_000));
    await page.getByRole("alert").getByText("this browser keeps 25 MB of files at most").waitFor();
    await say(page, "Look at this file");
    await log(page).getByText("Queued: not sent yet").waitFor();
    await log(page).getByRole("button", { name: "small.txt" }).waitFor();
    proxy.open();
    await page.reload();
    await answer(page, "I have looked.");
    await expectRows(page, ["Before the files", "Go on.", "Look at this file", "I have looked."]);
    const saving = page.waitForEvent("download");
    await log(page).getByRole("button", { name: "small.txt" }).click();
    const saved = readFileSync(await (await saving).path());
    expect(saved.equals(Buffer.alloc(2_000, "small.txt "))).toBe(true);
  });

  test("[WB4] kill -9 in the middle of an answer and of a message: the page goes on by itself", async () => {
    const page = await open();
    await talk(page, "Before the crash", "I am here.");
    await say(page, "In the middle");
    const answering = await world.model.asked();
    answering.write("Half of an answer and");
    await log(page).getByText("Half of an answer").waitFor();
    await world.restart();
    await answer(page, "The whole answer.");
    const sprung = proxy.cutAt("with the crash", "after");
    await say(page, "Sent with the crash");
    await sprung;
    await world.restart();
    await answer(page, "Answered once.");
    await expectRows(page, [
      "Before the crash",
      "I am here.",
      "In the middle",
      "The whole answer.",
      "Sent with the crash",
      "Answered once.",
    ]);
  });

  test("[WB4] after a sleep, a connection that only seems to be there is noticed and replaced", async () => {
    const page = await open();
    await talk(page, "Good night", "Sleep well.");
    proxy.stall();
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await talk(page, "Good morning", "Already?");
    await expectRows(page, ["Good night", "Sleep well.", "Good morning", "Already?"]);
  });

  test.each([
    ["takes nothing", "full"],
    ["never answers", "stuck"],
  ] as const)("[WB4] a message is sent, once, also where the browser's database %s", async (_what, fault) => {
    // A tab of its own: what is done to it must not stay.
    const { page } = await openSignedIn(browser, world.daemon().url, { locale: "en-GB" });
    await page.addInitScript((how) => {
      if (how === "full")
        IDBObjectStore.prototype.put = () => {
          throw new DOMException("There is no room", "QuotaExceededError");
        };
      else indexedDB.open = () => new EventTarget() as IDBOpenDBRequest;
    }, fault);
    await page.reload();
    await say(page, `With a database that is ${fault}`);
    const answering = await world.model.asked();
    expect(JSON.stringify(answering.messages.at(-1)?.content)).toContain(`With a database that is ${fault}`);
    answering.write("I heard it.");
    answering.end();
    await page.getByRole("log").getByText("I heard it.").waitFor();
    expect(await page.locator(".row-said").count()).toBe(1);
  });

  test("[WB4] two tabs without a connection keep what each has said", async () => {
    const first = await open();
    await talk(first, "Two of us", "I see.");
    const second = await first.context().newPage();
    await second.goto(proxy.url);
    await talk(second, "Another of us", "I see you, too.");
    proxy.close();
    for (const page of [first, second]) await lost(page).waitFor();
    await say(first, "From the first");
    await say(second, "From the second");
    for (const page of [first, second]) await log(page).getByText("Queued: not sent yet").waitFor();
    const other = second.url();
    await second.close();
    proxy.open();
    await first.reload();
    await answerNext("Yes.");
    await answerNext("Yes.");
    await expectRows(first, ["Two of us", "I see.", "From the first", "Yes."]);
    await first.goto(other);
    await expectRows(first, ["Another of us", "I see you, too.", "From the second", "Yes."]);
  });

  test("[WB4] after a change of the token, one sign-in brings every tab back to what it had, and what was said is sent", async () => {
    const first = await open();
    await talk(first, "Before the change", "Noted.");
    const second = await first.context().newPage();
    await second.goto(first.url());
    await log(second).getByText("Noted.").waitFor();
    await second.getByLabel("Message", { exact: true }).fill("A draft of the second tab");
    proxy.close();
    await first.getByText("The connection to Deputy is lost").waitFor();
    await say(first, "Said meanwhile");
    await log(first).getByText("Queued: not sent yet").waitFor();
    await world.restart("another-token-0123456789");
    onTestFinished(() => world.restart());
    proxy.open();
    for (const page of [first, second])
      await page.getByRole("alert").getByText("This sign-in is no longer valid").waitFor();
    await signIn(first, "another-token-0123456789");
    await answer(first, "Heard after the change.");
    await log(second).getByText("Heard after the change.").waitFor();
    expect(await second.getByLabel("Message", { exact: true }).inputValue()).toBe(
      "A draft of the second tab",
    );
    await expectRows(first, ["Before the change", "Noted.", "Said meanwhile", "Heard after the change."]);
  });
});
