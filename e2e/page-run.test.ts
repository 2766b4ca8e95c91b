import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchChromium, noBrowser, noWholeBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";

describe.skipIf(noBrowser)("runs, code and notifications on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });
  const answer = async (text: string): Promise<void> => {
    const answering = await world.model.asked();
    answering.write(text);
    answering.end();
  };
  /** What moves in the moment of a click is not clicked; a person clicks again. */
  const approve = async (page: Page, name: string): Promise<void> => {
    const button = page.getByRole("button", { name });
    // The first program of a daemon loads the compiler, which takes a while on a busy machine.
    await button.waitFor({ timeout: 60_000 });
    await vi.waitFor(async () => {
      if (await button.isVisible()) await button.click({ timeout: 5_000 });
      await button.waitFor({ state: "hidden", timeout: 5_000 });
    });
  };
  const status = (page: Page) => page.getByRole("complementary", { name: "Run" }).getByRole("status");

  test("[WB21] a finished run is gone through step by step, by keys, with a link to each step; back closes it", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "List and note");
    const between = "// nothing\n".repeat(60);
    const code = `const rows = await tools.rows.list({ count: 2 });\n${between}await tools.notes.note({ text: "two" });\nreturn rows;`;
    (await world.model.asked()).call("run_code", { code });
    await approve(page, "Approve");
    await answer("Noted.");
    await page.getByRole("log").getByText("Noted.").waitFor();
    const fold = page.getByRole("log").getByRole("button", { name: /Ran a program/ });
    await fold.click();
    await page.getByRole("link", { name: "Step through it" }).click();
    const panel = page.getByRole("complementary", { name: "Run" });
    await status(page).getByText("Step 5 of 5").waitFor();
    await panel.locator(".result").waitFor();
    const slider = panel.getByRole("slider", { name: "Step" });
    await slider.focus();
    await page.keyboard.press("Home");
    await status(page).getByText("nothing has run").waitFor();
    expect(await panel.locator(".call").count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    await status(page).getByText("rows.list was allowed").waitFor();
    expect(page.url()).toContain("step=1");
    expect(await panel.locator(".program > li.current").textContent()).toContain("tools.rows.list");
    expect(await panel.locator(".call .told-input").textContent()).toBe("count: 2");
    await panel.locator(".program .hl-keyword").getByText("await").first().waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await status(page).getByText("notes.note was put to you").waitFor();
    // However long the program is, the step is in sight, and so is what one goes with.
    const height = page.viewportSize()?.height ?? 0;
    for (const seen of [panel.locator(".current .call[open] > summary"), slider])
      expect(
        await seen.boundingBox().then((box) => box !== null && box.y > 0 && box.y + box.height < height),
      ).toBe(true);
    const link = page.url();
    await page.reload();
    await status(page).getByText("Step 3 of 5").waitFor();
    expect(page.url()).toBe(link);
    await panel.getByRole("button", { name: "Step forward" }).click();
    await status(page).getByText("notes.note was done").waitFor();
    await panel.getByRole("slider").focus();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await page.goBack();
    await panel.waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB21] a running program shows each call at its line while it happens", async () => {
    const { page } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Note it");
    await page.getByRole("log").getByText("Note it").waitFor();
    const code = `await tools.rows.list({ count: 1 });\nawait tools.notes.note({ text: "x" });`;
    (await world.model.asked()).call("run_code", { code });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page
      .getByRole("log")
      .getByRole("button", { name: /Waiting for an answer in a program: rows\.list, notes\.note/ })
      .click();
    await page.getByRole("log").getByText("waits for an answer").waitFor();
    await page.getByRole("link", { name: "Step through it" }).click();
    await status(page).getByText("Now").waitFor();
    await approve(page, "Approve");
    await answer("Done.");
    await status(page).getByText("Step 5 of 5").waitFor();
    await page
      .getByRole("log")
      .getByRole("button", { name: /Ran a program: rows\.list, notes\.note/ })
      .waitFor();
  });

  test("[WB21] a program that makes many calls shows the first of each line, and that each was approved", async () => {
    const { page } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Note them all");
    await page.getByRole("log").getByText("Note them all").waitFor();
    const code = `for (let at = 1; at <= 12; at += 1) await tools.notes.note({ text: "Number " + at });`;
    (await world.model.asked()).call("run_code", { code });
    await approve(page, "Approve 12");
    await answer("All noted.");
    await page.getByRole("log").getByText("All noted.").waitFor();
    await page
      .getByRole("log")
      .getByRole("button", { name: /Ran a program: notes\.note × 12/ })
      .click();
    const calls = page.getByRole("log").locator(".program .call:visible > summary");
    await page.getByText("9 more calls, all done").waitFor();
    expect(await calls.allInnerTexts()).toEqual([
      expect.stringMatching(/approved\s+text: Number 1$/),
      expect.stringMatching(/approved\s+text: Number 2$/),
      expect.stringMatching(/approved\s+text: Number 3$/),
    ]);
    await page.getByText("9 more calls, all done").click();
    expect(await calls.count()).toBe(12);
    await calls.nth(1).click();
    await page.getByText("You decided about it in the plan.").first().waitFor();
  });

  test("[WB21] inside a call stand what it was to change, and the picture that it made", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Draw a dot");
    await page.getByRole("log").getByText("Draw a dot").waitFor();
    const code = `await tools.pictures.draw({ name: "first" });`;
    (await world.model.asked()).call("run_code", { code });
    await approve(page, "Approve");
    await answer("Drawn.");
    await page.getByRole("log").getByText("Drawn.").waitFor();
    const fold = page.getByRole("log").getByRole("button", { name: /Ran a program: pictures\.draw/ });
    await fold.click();
    const call = page.locator("details.call").filter({ hasText: "pictures.draw" });
    await call.locator("summary").click();
    await call.getByRole("heading", { name: "first.txt" }).waitFor();
    expect(await call.locator(".line-of-diff.removed").innerText()).toContain("-nothing");
    expect(await call.locator(".line-of-diff.added").innerText()).toContain("+a dot");
    const picture = call.getByRole("img", { name: "first.png" });
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    const saving = page.waitForEvent("download");
    await call.getByRole("button", { name: "first.png" }).click();
    expect((await saving).suggestedFilename()).toBe("first.png");
    expect(complaints).toEqual([]);
  });

  test("[WB22] code gets its colours from a worker of the page's own once its fence has closed; copying works at once", async () => {
    const { page, complaints, outside } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Show me code");
    const answering = await world.model.asked();
    answering.write('Here:\n\n```ts\nconst a = "<b>x</b>"; // one\n');
    const block = page.getByRole("log").locator("figure.code");
    await block.getByText("const a").waitFor();
    await block.getByRole("button", { name: "Copy" }).waitFor();
    expect(await block.locator("[class^=hl-]").count()).toBe(0);
    answering.write("```\n\nThat is all.\n\nReally.");
    answering.end();
    await block.locator(".hl-keyword").getByText("const").waitFor();
    expect(await block.locator(".hl-string").textContent()).toBe('"<b>x</b>"');
    expect(await block.locator("code").textContent()).toContain('const a = "<b>x</b>"; // one');
    expect([complaints, outside]).toEqual([[], []]);
  });

  test.skipIf(noWholeBrowser)(
    "[WB23] a question is notified once over all tabs, not while the page is in front, with the tool and no content",
    async () => {
      await using whole = await launchChromium("whole");
      const { page, complaints } = await openSignedIn(whole, world.daemon().url);
      const context = page.context();
      await page.goto(`${world.daemon().url}/#/approvals`);
      await page.getByRole("button", { name: "Notify me of questions" }).waitFor();
      // A tab that was open before the browser gave its permission.
      const other = await context.newPage();
      await other.goto(world.daemon().url);
      await other.getByLabel("Message", { exact: true }).waitFor();
      await context.grantPermissions(["notifications"]);
      await page.reload();
      await page.getByText("This browser notifies you").waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      // Neither is in front: as when the reader is at something else.
      for (const tab of [page, other])
        await tab.evaluate(() => {
          Object.defineProperty(document, "hasFocus", { value: () => false });
        });
      await say(other, "Mail Ada a secret");
      (await world.model.asked()).call("run_code", {
        code: `return await tools.mail.send({ to: "ada@example.org", subject: "The secret plan" });`,
      });
      const notified = () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready;
          return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }));
        });
      await expect.poll(notified).toEqual([{ title: "Deputy waits for you", body: "mail.send" }]);
      await expect.poll(() => page.title()).toBe("(1) waits for you – Deputy");
      // What a click on it does.
      const id = await page.locator("[data-question]").getAttribute("data-question");
      await other.evaluate((open) => {
        navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data: { open } }));
      }, id);
      await expect.poll(() => other.url()).toContain(`#/approvals?q=${id}`);
      await page.getByRole("button", { name: "Deny…" }).click();
      await page.getByRole("textbox", { name: /Reason/ }).fill("Not now");
      await page.getByRole("button", { name: "Deny", exact: true }).click();
      await answer("I did not.");
      await page.getByText(/You denied · /).waitFor();
      await expect.poll(notified).toEqual([]);
      await page.getByRole("heading", { name: "What was decided" }).waitFor();
      await page.getByText(/denied by you: Not now/).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test("[WB24] the page can be installed; its worker keeps the hashed files only, and a new page is never an old one", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.getByLabel("Message", { exact: true }).waitFor();
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return lists.flat().map(({ url }) => new URL(url).pathname);
      });
    await expect.poll(async () => (await kept()).length).toBeGreaterThan(0);
    expect((await kept()).filter((path) => !/^\/assets\/.+-[\w-]{8}\.\w+$/.test(path))).toEqual([]);
    const manifest = await page.evaluate(async () => await (await fetch("/deputy.webmanifest")).json());
    expect(manifest).toMatchObject({ name: "Deputy", start_url: "/", display: "standalone", id: "/" });
    expect(complaints).toEqual([]);
  });
});
