import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openPacedModel, type PacedModel } from "./paced-model.ts";
import { type Daemon, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

/** A picture of one pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Tools that ask, one that shows what it would change and makes a picture, and one that can answer a lot. */
const PLUGIN = `
import { defineTool } from "@deputy/tools";
import { z } from "zod";

const send = defineTool({
  description: "Send a mail",
  approval: "required",
  effect: "egress",
  critical: ["to"],
  args: z.object({ to: z.string(), subject: z.string() }),
  run: ({ subject }) => "Sent: " + subject,
});
const note = defineTool({
  description: "Write a note",
  approval: "required",
  effect: "write",
  critical: [],
  args: z.object({ text: z.string() }),
  run: ({ text }) => "Noted: " + text,
});
const list = defineTool({
  description: "List numbers",
  approval: "auto",
  effect: "read",
  critical: [],
  args: z.object({ count: z.number() }),
  run: ({ count }) => Array.from({ length: count }, (_, at) => ({ id: at + 1, title: "Row " + (at + 1) })),
});
const draw = defineTool({
  description: "Draw a dot",
  approval: "required",
  effect: "write",
  critical: [],
  args: z.object({ name: z.string() }),
  formatApproval: ({ name }) => ({
    title: "Draw " + name,
    changes: [{ path: name + ".txt", before: "nothing\\n", after: "a dot\\n" }],
  }),
  run: async ({ name }, { attach }) => {
    await attach({ bytes: Buffer.from("${DOT}", "base64"), mimeType: "image/png", name: name + ".png" });
    return "Drawn";
  },
});
export default { mail: { send }, notes: { note }, rows: { list }, pictures: { draw } };
`;

export interface PageDaemon extends AsyncDisposable {
  readonly home: string;
  readonly model: PacedModel;
  /** The one that runs now. */
  daemon(): Daemon;
  /** Ends it as a crash would, and starts another at the same address; with another token, if one is given. */
  restart(token?: string): Promise<void>;
}

/** What finds by meaning takes more of the processor than the rest of the daemon, and none of it shows on the page. */
const BY_WORDS_ALONE = {
  memory: { embeddingModel: "none" },
  tools: { search: { embeddingModel: "none" } },
};

/** A daemon over a model whose answers the test writes, with a few tools. */
export async function startPageDaemon(settings: Readonly<Record<string, unknown>> = {}): Promise<PageDaemon> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(scratchDirectory());
  const model = opened.use(await openPacedModel());
  const plugin = join(home.path, "page-plugin.ts");
  writeFileSync(plugin, PLUGIN);
  const config = { toolSources: [plugin], ...BY_WORDS_ALONE, ...settings };
  writeFileSync(join(home.path, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const env = { ...model.env, DEPUTY_TOKEN: TOKEN };
  let daemon = await startDaemon(home.path, [], env);
  const port = new URL(daemon.url).port;
  opened.defer(async () => void (await daemon.end("SIGKILL")));
  const owned = opened.move();
  return {
    home: home.path,
    model,
    daemon: () => daemon,
    async restart(token = TOKEN) {
      await daemon.end("SIGKILL");
      daemon = await startDaemon(home.path, ["--port", port], { ...env, DEPUTY_TOKEN: token });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export interface OpenedPage {
  readonly page: Page;
  readonly origin: string;
  /** What the browser complains of. */
  readonly complaints: string[];
  /** Requests to other servers. */
  readonly outside: string[];
}

/** A tab with an empty profile that was used before: a new one takes the processor six times as long. */
interface UsedTab {
  readonly page: Page;
  readonly origin: string;
  /** What it was signed in with at the end, if it was. */
  readonly session: string | undefined;
  /** Where what it tells goes to from now on. */
  tellTo(opened: OpenedPage): void;
}

const usedTabs = new WeakMap<Browser, UsedTab[]>();

/** Whatever does not answer by then, as a proxy that swallows everything, is not waited for. */
const EMPTYING_MS = 5_000;

/** Of the page's storage; the rest is forgotten with each test. */
const SESSION = "deputy.session";

/**
 * An empty browser profile with one tab, at the page. Nothing moves in it by itself: without a graphics card, each
 * picture of something that turns while a test waits is drawn by the processor.
 */
export async function openTab(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<OpenedPage> {
  const { opened } = await emptyTab(browser, url, options);
  await opened.page.goto(url);
  return opened;
}

/** Not at the page yet. A tab of an earlier test is taken if nothing special is asked for. */
async function emptyTab(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<{ readonly opened: OpenedPage; readonly session?: string | undefined }> {
  const { origin } = new URL(url);
  const isPlain = Object.keys(options ?? {}).length === 0;
  const used = usedTabs.get(browser) ?? [];
  const at = isPlain ? used.findIndex((tab) => tab.origin === origin) : -1;
  const [taken] = at < 0 ? [] : used.splice(at, 1);
  const { page, tellTo, session } = taken ?? (await newTab(browser, options));
  const opened: OpenedPage = { page, origin, complaints: [], outside: [] };
  tellTo(opened);
  onTestFinished(async ({ task }) => {
    const kept = isPlain && task.result?.state !== "fail" ? await emptied(page, origin) : undefined;
    if (kept === undefined) return await page.context().close();
    usedTabs.set(browser, [
      ...(usedTabs.get(browser) ?? []),
      { page, origin, session: kept.session, tellTo },
    ]);
  });
  return { opened, session };
}

/** Forgets what the test did, but for the sign-in; undefined if that cannot be done, as after the end of the daemon. */
async function emptied(page: Page, origin: string): Promise<{ readonly session?: string } | undefined> {
  const context = page.context();
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    await context.setOffline(false);
    await context.clearPermissions();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: "reduce" });
    // A file of the same origin in which nothing runs: what the page has open could not be deleted.
    await page.goto(`${origin}/icon.svg`, { timeout: EMPTYING_MS });
    const session = await page.evaluate(async (key) => {
      const kept = sessionStorage.getItem(key) ?? undefined;
      sessionStorage.clear();
      localStorage.clear();
      for (const { name = "" } of await indexedDB.databases())
        await new Promise((done) => (indexedDB.deleteDatabase(name).onsuccess = done));
      return kept;
    }, SESSION);
    return session === undefined ? {} : { session };
  } catch {
    return undefined;
  }
}

async function newTab(
  browser: Browser,
  options?: BrowserContextOptions,
): Promise<Pick<UsedTab, "page" | "tellTo"> & { readonly session?: undefined }> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  let to: OpenedPage = { page, origin: "", complaints: [], outside: [] };
  page.on("console", (message) => {
    // A file that is shown alone asks for this one; the page itself has an icon of its own.
    if (message.location().url.endsWith("/favicon.ico")) return;
    // A daemon that is being started again is asked in vain for a moment.
    if (message.text().includes("ERR_CONNECTION_REFUSED")) return;
    if (message.type() === "error" || message.type() === "warning") to.complaints.push(message.text());
  });
  page.on("pageerror", (error) => to.complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    to.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, origin, href } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && origin !== to.origin) to.outside.push(href);
  });
  return { page, tellTo: (opened) => (to = opened) };
}

export async function signIn(page: Page, token = TOKEN): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await listed(page).waitFor({ state: "attached" });
}

/** On a phone the list is there and not shown. */
function listed(page: Page): Locator {
  return page.locator(".conversations :is(.day, .empty)").filter({ hasNotText: "Loading" }).first();
}

/** The same in one step. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<OpenedPage> {
  const { opened, session } = await emptyTab(browser, url, options);
  const { page } = opened;
  if (session !== undefined)
    await page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [SESSION, session] as const);
  await page.goto(url);
  const token = page.getByLabel("Token");
  await token.or(listed(page)).first().waitFor({ state: "attached" });
  if (await token.isVisible()) await signIn(page);
  return opened;
}

/** Says something; in a new conversation unless one is open. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** What is typed is written down a moment later: a reload in between would be a race. */
export async function draftIsKept(page: Page, name: string, text: string): Promise<void> {
  const read = () =>
    page.evaluate(async (key) => {
      const database = "deputy-drafts-2";
      if (!(await indexedDB.databases()).some(({ name: found }) => found === database)) return "";
      const opening = indexedDB.open(database);
      await new Promise((done) => (opening.onsuccess = done));
      const asking = opening.result.transaction("drafts").objectStore("drafts").get(key);
      await new Promise((done) => (asking.onsuccess = done));
      opening.result.close();
      return JSON.stringify(asking.result ?? null);
    }, name);
  await expect.poll(read).toContain(text);
}
