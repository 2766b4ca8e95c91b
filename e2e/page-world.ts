import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { openPacedModel, type PacedModel } from "./paced-model.ts";
import { type Daemon, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

/** A tool that asks, and one that can answer a lot, for tests of the page. */
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
export default { mail: { send }, notes: { note }, rows: { list } };
`;

export interface PageDaemon extends AsyncDisposable {
  readonly home: string;
  readonly model: PacedModel;
  /** The one that runs now. */
  daemon(): Daemon;
  /** Ends it as a crash would, and starts another at the same address; with another token, if one is given. */
  restart(token?: string): Promise<void>;
}

/** A daemon over a model whose answers the test writes, with a few tools. */
export async function startPageDaemon(settings: Readonly<Record<string, unknown>> = {}): Promise<PageDaemon> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(scratchDirectory());
  const model = opened.use(await openPacedModel());
  const plugin = join(home.path, "page-plugin.ts");
  writeFileSync(plugin, PLUGIN);
  await runDeputy(["config", "set", "toolSources", JSON.stringify([plugin]), "--home", home.path]);
  for (const [name, value] of Object.entries(settings))
    await runDeputy(["config", "set", name, JSON.stringify(value), "--home", home.path]);
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
  /** What the browser complains of. */
  readonly complaints: string[];
  /** Requests to other servers. */
  readonly outside: string[];
}

/**
 * A fresh browser profile with one tab, at the page. Nothing moves in it by itself: without a graphics card, each picture
 * of something that turns while a test waits is drawn by the processor.
 */
export async function openTab(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on("console", (message) => {
    // A daemon that is being started again is asked in vain for a moment.
    if (message.text().includes("ERR_CONNECTION_REFUSED")) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !to.startsWith("data:") && !to.startsWith("blob:")) outside.push(to);
  });
  await page.goto(url);
  return { page, complaints, outside };
}

export async function signIn(page: Page, token = TOKEN): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  // On a phone the list is there and not shown.
  const listed = page.locator(".conversations :is(.day, .empty)").filter({ hasNotText: "Loading" });
  await listed.first().waitFor({ state: "attached" });
}

/** The same in one step. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const opened = await openTab(browser, url, options);
  await signIn(opened.page);
  return opened;
}

/** Says something; in a new conversation unless one is open. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}
