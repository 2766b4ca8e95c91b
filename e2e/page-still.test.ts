import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchChromium, noWholeBrowser } from "./chromium.ts";
import { type PageGateway, startPageGateway } from "./page-gateway.ts";
import { openSignedIn, signIn } from "./page-world.ts";
import { TOKEN } from "./run-deputy.ts";

/** 2 × 2 pixels; the page shows it as large as it likes. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVQImWP8z8DAwMDA8J+BgYGBAQAUAwIBr5p0vQAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(noWholeBrowser)("what the reader looks at stands still", () => {
  let browser: Browser;
  let gateway: PageGateway;
  beforeAll(async () => {
    [browser, gateway] = await Promise.all([launchChromium("whole"), startPageGateway()]);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.[Symbol.asyncDispose]();
  });

  const lines = (word: string, count: number): string =>
    Array.from({ length: count }, (_, at) => `${word} ${at}.`).join("\n\n");

  type Session = ReturnType<typeof gateway.ids.next<"session">>;
  interface Turn {
    readonly ask: string;
    readonly picture?: string;
    readonly thought?: string;
    readonly answer: string;
  }
  async function conversation(turns: readonly Turn[]): Promise<Session> {
    const { log, ids } = gateway;
    const session = ids.next("session");
    const agent = { agentId: "main", key: `web--${session}`, channel: "web" };
    await log.append(session, [{ type: "session.started", data: agent }]);
    for (const turn of turns) await add(session, turn);
    return session;
  }
  async function add(session: Session, { ask, picture, thought, answer }: Turn): Promise<void> {
    const { log, ids } = gateway;
    const turnId = ids.next("turn");
    const file = { blobId: picture, name: "picture.png", mimeType: "image/png", size: PNG.length };
    const files = picture === undefined ? [] : [file];
    const said = { attachments: files as never, channel: "ws", sender: "owner", trust: "user" as const };
    const thoughts = thought === undefined ? [] : [{ itemId: ids.next("item"), text: thought }];
    await log.append(session, [
      { type: "user.message", turnId, data: { ...said, text: ask } },
      { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
      ...thoughts.map((data) => ({ type: "assistant.reasoning" as const, turnId, data })),
      { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text: answer } },
      {
        type: "turn.completed",
        turnId,
        data: { usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 } },
      },
    ]);
  }
  async function open(session: string): Promise<Page> {
    const { page } = await openSignedIn(browser, gateway.url);
    await page.goto(`${gateway.url}/#/c/${session}`);
    await page.getByRole("log").locator(".row").first().waitFor();
    await settled(page);
    return page;
  }
  const settled = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<void>((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))),
        ),
    );
  const topOf = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().top);
  /** Turns the wheel and waits until the browser says that its scrolling, which takes several frames, has ended. */
  async function scrollBy(page: Page, y: number): Promise<void> {
    const scroll = page.locator(".scroll");
    await scroll.hover();
    const ended = await scroll.evaluateHandle((element) => ({
      promise: new Promise((done) => element.addEventListener("scrollend", done, { once: true })),
    }));
    await page.mouse.wheel(0, y);
    await ended.evaluate(({ promise }) => promise);
    await settled(page);
  }

  test("[WB30] a fold that is opened or closed stays under the pointer, also at the end", async () => {
    const session = await conversation([
      { ask: "First", answer: lines("Line", 40) },
      { ask: "Second", thought: lines("Thought", 30).replaceAll("\n\n", "\n"), answer: "Short." },
    ]);
    const page = await open(session);
    const fold = page.getByRole("log").getByRole("button", { name: "Thought about it" });
    const before = await topOf(fold);
    await fold.click();
    await page.getByText("Thought 29.").waitFor({ state: "attached" });
    await settled(page);
    expect(Math.abs((await topOf(fold)) - before)).toBeLessThan(2);
    // Further down, closing it takes away more than there is below.
    await scrollBy(page, 120);
    const opened = await topOf(fold);
    await fold.click();
    await page.getByText("Thought 29.").waitFor({ state: "detached" });
    await settled(page);
    expect(Math.abs((await topOf(fold)) - opened)).toBeLessThan(2);
    // It stays as it was left, through a reload.
    await fold.click();
    await page.reload();
    await page.getByText("Thought 29.").waitFor({ state: "attached" });
  });

  test("[WB82] within 150 pixels of the end, the view rides along with it; 24 pixels up, in however small steps, let go", async () => {
    const session = await conversation([{ ask: "First", answer: lines("Line", 60) }]);
    const page = await open(session);
    const gap = () =>
      page
        .locator(".scroll")
        .evaluate(
          (box) =>
            box.scrollHeight -
            (box.querySelector<HTMLElement>(".spacer")?.offsetHeight ?? 0) -
            box.scrollTop -
            box.clientHeight,
        );
    let number = 0;
    /** Something is said elsewhere, and what that makes of the distance from the end. */
    const grow = async (): Promise<number> => {
      number += 1;
      await add(session, { ask: `More ${number}`, answer: lines(`Word ${number}`, 12) });
      const last = page.getByRole("log").getByText(`Word ${number} 11.`, { exact: true });
      await last.waitFor({ state: "attached" });
      await settled(page);
      return await gap();
    };
    expect(await grow()).toBeLessThan(2);
    await scrollBy(page, -20);
    expect(await grow()).toBeLessThan(2);
    await scrollBy(page, -20);
    await scrollBy(page, -20);
    const left = await grow();
    expect(left).toBeGreaterThan(150);
    await page.getByRole("button", { name: "New", exact: true }).waitFor();
    // On the way down, further off than that: it stays.
    await scrollBy(page, left - (await gap()) + 20);
    expect(await grow()).toBeGreaterThan(150);
    await scrollBy(page, (await gap()) - 140);
    expect(await grow()).toBeLessThan(2);
    // Up and away, and back by the button.
    await scrollBy(page, -300);
    expect(await grow()).toBeGreaterThan(300);
    await page.getByRole("button", { name: "New", exact: true }).click();
    await settled(page);
    expect(await grow()).toBeLessThan(2);
  });

  test("[WB30] parts of a growing answer that are out of sight are left out, and nothing moves when they come back", async () => {
    const session = await conversation([{ ask: "First", answer: "Short." }]);
    const page = await open(session);
    const { log, ids } = gateway;
    const [turnId, itemId] = [ids.next("turn"), ids.next("item")];
    const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" as const };
    await log.append(session, [
      { type: "user.message", turnId, data: { ...said, text: "Write a lot" } },
      { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
    ]);
    await page.getByText("Write a lot").waitFor();
    const block = (at: number): string =>
      `## Part ${at}\n\nSome **words** of ${at}.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| ${at} | 2 |\n\n`;
    let text = "";
    const write = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at += 1) {
        const [offset, piece] = [text.length, block(at)];
        text += piece;
        const delta = { stream: session, turnId, itemId, itemType: "message" as const, offset, text: piece };
        log.publish({ type: "assistant.delta", at: new Date().toISOString(), ...delta });
        await page.getByText(`Part ${at}`, { exact: true }).waitFor({ state: "attached" });
        await settled(page);
      }
    };
    await write(0, 30);
    const leftOut = () =>
      page
        .locator(".part")
        .evaluateAll(
          (parts) =>
            parts.filter(
              (part) => !(part.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) ?? true),
            ).length,
        );
    expect(await leftOut()).toBeGreaterThan(5);
    const tops = () =>
      page
        .locator(".part > *")
        .evaluateAll((blocks) => blocks.map((one) => Math.round(one.getBoundingClientRect().top)));
    const line = page.getByText("Some words of 12.");
    await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await settled(page);
    const before = await topOf(line);
    const known = await tops();
    await write(30, 40);
    expect(Math.abs((await topOf(line)) - before)).toBeLessThan(2);
    expect((await tops()).slice(0, known.length)).toEqual(known);
    // Once it is whole, nothing is left out, and everything stands where it stood.
    const growing = await tops();
    const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
    await log.append(session, [
      { type: "assistant.message", turnId, data: { itemId, text } },
      { type: "turn.completed", turnId, data: { usage } },
    ]);
    await page
      .getByRole("log")
      .getByRole("button", { name: "Ask again" })
      .last()
      .waitFor({ state: "attached" });
    await settled(page);
    expect(await leftOut()).toBe(0);
    expect(await tops()).toEqual(growing);
  });

  test("[WB83] however much is loaded, 120 rows are in the document; a hit far up and the end are both reached", async () => {
    const turns = Array.from({ length: 300 }, (_, at) => ({
      ask: `Question ${at}`,
      answer: `Answer ${at}.`,
    }));
    const session = await conversation(turns);
    const page = await open(session);
    const drawn = () => page.locator(".rows > .row").count();
    for (let at = 0; at < 4; at += 1) {
      await page.locator(".scroll").evaluate((box) => (box.scrollTop = 0));
      await settled(page);
    }
    expect(await drawn()).toBeLessThanOrEqual(120);
    await page.goto(`${gateway.url}/#/c/${session}?at=12`);
    await page.locator(".row.found").waitFor();
    expect(await drawn()).toBeLessThanOrEqual(120);
    // Nothing has come meanwhile, and so it does not say so.
    await page.getByRole("button", { name: "To the end", exact: true }).click();
    await page.getByRole("log").getByText("Answer 299.", { exact: true }).waitFor();
    expect(await drawn()).toBeLessThanOrEqual(120);
    // Nor does what marks their places stay when they go (decision 0095).
    const marks = await page
      .locator(".rows")
      .evaluate((rows) => [...rows.childNodes].filter((node) => node instanceof Comment).length);
    expect(marks).toBeLessThanOrEqual(2 * (await drawn()) + 10);
  });

  test("[WB30] a picture that comes late, above, moves nothing", async () => {
    const sent = await fetch(`${gateway.url}/api/blobs`, {
      method: "POST",
      body: PNG,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/octet-stream" },
    });
    const { blobId } = (await sent.json()) as { readonly blobId: string };
    const session = await conversation([
      { ask: "With a picture", picture: blobId, answer: lines("Line", 40) },
    ]);
    const { page } = await openSignedIn(browser, gateway.url);
    const come = Promise.withResolvers<void>();
    await page.route("**/api/blobs/*", async (route) => {
      await come.promise;
      await route.continue();
    });
    await page.goto(`${gateway.url}/#/c/${session}`);
    await page.getByText("Line 39.").waitFor();
    await settled(page);
    await scrollBy(page, -500);
    const line = page.getByText("Line 25.", { exact: true });
    const before = await topOf(line);
    const height = () => page.locator(".rows").evaluate(({ clientHeight }) => clientHeight);
    const without = await height();
    come.resolve();
    await page.locator(".attachments img").waitFor({ state: "attached" });
    await expect.poll(height).toBeGreaterThan(without);
    await settled(page);
    expect(Math.abs((await topOf(line)) - before)).toBeLessThan(2);
  });

  test("[WB30] earlier messages come in above what is being read", async () => {
    const turns = Array.from({ length: 90 }, (_, at) => ({ ask: `Question ${at}`, answer: `Answer ${at}.` }));
    const page = await open(await conversation(turns));
    const first = page.locator(".rows > .row").first();
    const key = (await first.getAttribute("data-key")) ?? "";
    // The reader goes to the top; what was the first row then still stands there when others are above it.
    await page.locator(".scroll").hover();
    await page.mouse.wheel(0, -100_000);
    await page.waitForFunction(
      (known) => document.querySelector(".rows > .row")?.getAttribute("data-key") !== known,
      key,
    );
    await settled(page);
    const row = page.locator(`.rows > [data-key="${key}"]`);
    const scroll = page.locator(".scroll");
    const top = (await topOf(row)) - (await topOf(scroll));
    expect(top).toBeGreaterThan(-2);
    expect(top).toBeLessThan(120);
  });

  test("[WB32] example prompts show once it is known which ones work here", async () => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const release = Promise.withResolvers<void>();
    await page.routeWebSocket(/./, (socket) => {
      const daemon = socket.connectToServer();
      let asked: unknown;
      socket.onMessage((message) => {
        if (String(message).includes('"models.status"')) asked = JSON.parse(String(message)).id;
        daemon.send(message);
      });
      daemon.onMessage((message) => {
        const isHeld = asked !== undefined && JSON.parse(String(message)).id === asked;
        void (isHeld ? release.promise : Promise.resolve()).then(() => socket.send(message));
      });
    });
    await page.goto(gateway.url);
    await signIn(page);
    const prompts = page.locator(".prompts button");
    await prompts.first().waitFor({ state: "attached" });
    await settled(page);
    expect(await prompts.first().isVisible()).toBe(false);
    release.resolve();
    await prompts.first().waitFor();
  });
});
