import { type Clock, createKeyedLane, isAbort } from "@deputy/kit";
import type { Locator, Page } from "playwright-core";
import type {
  BrowserCall,
  PageState,
  SessionBrowser,
  Tab,
  WaitFor,
} from "../../builtins/browser/session-browser.ts";
import { elementName, shownText } from "../../builtins/browser/shown-text.ts";
import { readSite, siteNotAllowed, siteOf } from "../../builtins/browser/site.ts";
import { ToolsError } from "../../tools-error.ts";
import { readableText } from "../../web/html/readable-text.ts";
import { boundedCall, OPEN_AGAIN } from "./bounded-call.ts";
import type { BrowserLimits } from "./browser-limits.ts";
import { contentOf, downloadLink, isInForm, isSubmitting, isTextField, linkOf } from "./in-page.ts";
import type { OpenSession } from "./open-session.ts";
import { elementNotFound, elementUnusable, pageFailed, refusalOf, submitNeeded } from "./page-errors.ts";
import type { PageNotes } from "./page-notes.ts";
import type { SessionRights } from "./session-rights.ts";
import { takeDownload } from "./take-download.ts";
import { type PageFacts, readPageFacts } from "./unseen-text.ts";

export interface SessionBrowserDeps {
  /** The running browser, started if need be; rejects with a `ToolsError`. */
  readonly open: (call: BrowserCall) => Promise<OpenSession>;
  readonly rights: SessionRights;
  readonly notes: PageNotes;
  readonly limits: BrowserLimits;
  readonly clock: Pick<Clock, "sleep">;
}

const MOST_WAITING = 100;
const MOST_URL_CHARS = 2_000;

/** One call of a tool on the session's page. */
interface OnPage {
  readonly session: OpenSession;
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly call: BrowserCall;
}

export function createSessionBrowser(deps: SessionBrowserDeps): SessionBrowser {
  const { rights, notes, limits, clock } = deps;
  const lane = createKeyedLane<"page">({ maxWaiting: MOST_WAITING });

  /** Whether the page hung and was closed, until another one is used. */
  let isGivenUp = false;

  const run = <T>(call: BrowserCall, limitMs: number, work: (on: OnPage) => Promise<T>): Promise<T> =>
    lane.run("page", call.signal, async () => {
      const session = await deps.open(call);
      const limit = { limitMs, onGivenUp: () => void (isGivenUp = true) };
      return await boundedCall(session, call, limit, async (signal) => {
        session.takeRefused();
        return await work({ session, page: await session.page(), signal, call });
      });
    });

  /** The same for a call that names the page it means. */
  const onSite = <T>(
    site: string,
    call: BrowserCall,
    limitMs: number,
    work: (on: OnPage) => Promise<T>,
  ): Promise<T> =>
    run(call, limitMs, async (on) => {
      const here = siteOf(on.page.url());
      if (here !== site && isGivenUp)
        throw new ToolsError("page_failed", "The page did not answer and was closed", { hint: OPEN_AGAIN });
      if (here !== site)
        throw new ToolsError("page_elsewhere", `The page is not of ${site}, but ${here ?? "of no site"}`, {
          hint: here === undefined ? "Open one with browser.navigate." : "Look at it before you go on.",
        });
      isGivenUp = false;
      return await work(on);
    });

  const stateOf = async (page: Page): Promise<PageState> => {
    const url = page.url();
    const title = page.isClosed() ? "" : (await page.title()).slice(0, 300);
    const site = page.isClosed() ? undefined : siteOf(url);
    return { site: site ?? "", url: url.slice(0, MOST_URL_CHARS), title, notes: notes.take() };
  };

  /** Until no request was seen for a moment, and what the tab is to show is there. */
  const settle = async ({ session, page, signal }: OnPage): Promise<void> => {
    const startedMs = performance.now();
    for (;;) {
      const now = performance.now();
      const quietMs = now - Math.max(startedMs, session.guard.lastRequestMs());
      if (quietMs >= limits.quietMs || now - startedMs > limits.settleMs) break;
      await clock.sleep(limits.quietMs - quietMs, signal);
    }
    if (page.isClosed()) return;
    const timeout = limits.settleMs;
    await page.waitForLoadState("domcontentloaded", { timeout, signal }).catch(rethrowAbort);
  };

  const find = async (page: Page, ref: string): Promise<Locator> => {
    const locator = page.getByRef(ref);
    const count = await locator.count().catch((error: unknown) => {
      rethrowAbort(error);
      return 0;
    });
    if (count !== 1) throw elementNotFound(ref);
    return locator;
  };

  /** Does something to an element, which must be fit for it, or says why it is not. */
  const use = async (ref: string, { signal }: OnPage, work: () => Promise<unknown>): Promise<void> => {
    rights.touch();
    try {
      await work();
    } catch (error) {
      if (signal.aborted) throw error;
      throw elementUnusable(ref, error);
    }
  };

  /** In two steps: a page may take its time over a click, an element may not. */
  const clickOn = async (locator: Locator, ref: string, on: OnPage): Promise<void> => {
    const { signal } = on;
    await use(ref, on, () => locator.click({ ...element, trial: true, signal }));
    await locator.click({ timeout: limits.actionMs, signal });
  };

  const assertNothingHeldBack = (
    { session }: OnPage,
    order: { readonly site: string; readonly ref?: string },
  ): void => {
    const refusal = refusalOf(session.takeRefused(), order);
    if (refusal !== undefined) throw refusal;
  };

  const factsOf = async ({ session, page }: OnPage): Promise<PageFacts> => {
    const cdp = await session.context.newCDPSession(page);
    try {
      return await readPageFacts(cdp);
    } finally {
      cdp.detach().catch(() => undefined);
    }
  };

  const readFacts = async (on: OnPage): Promise<PageFacts> => {
    const facts = await factsOf(on);
    if (facts.elements > limits.pageElements || facts.chars > limits.pageChars)
      throw new ToolsError(
        "page_too_large",
        `The page has ${facts.elements} elements and ${facts.chars} characters`,
        { hint: "Take a screenshot, or extract one element of it." },
      );
    return facts;
  };

  /** Refs are of the last one that was taken; elements that stay keep theirs. */
  const treeOf = ({ page, signal }: OnPage): Promise<string> =>
    page.ariaSnapshot({ mode: "ai", timeout: limits.actionMs, signal });

  let tree = "";
  const element = { timeout: limits.elementMs };

  return {
    allowSite: (site) => rights.allow(site),

    navigate: (url, call) =>
      run(call, limits.navigateMs + limits.loadMs + limits.actionMs, async (on) => {
        const { session, page, signal } = on;
        const site = readSite(url);
        if (!rights.current([]).sites.has(site)) throw siteNotAllowed(site);
        call.progress(`Opening ${url.slice(0, 200)}`);
        const answer = await page
          .goto(url, { waitUntil: "commit", timeout: limits.navigateMs, signal })
          .catch(async (error: unknown) => {
            if (signal.aborted) throw error;
            const refusal = refusalOf(session.takeRefused(), { site });
            if (refusal !== undefined) throw refusal;
            // The browser's page about the failure would come in the way of the next one.
            session.leave(page);
            throw pageFailed(`${site} could not be opened`, error);
          });
        isGivenUp = false;
        // Nothing is left of what was clicked or typed, unless it is in another tab.
        if (session.context.pages().length === 1) rights.renew();
        const status = answer?.status() ?? 200;
        if (status >= 400) notes.add(`The server answered with status ${status}.`);
        await page.waitForLoadState("load", { timeout: limits.loadMs, signal }).catch((error: unknown) => {
          rethrowAbort(error);
          notes.add("The page is still loading.");
        });
        return await stateOf(page);
      }),

    back: (call) =>
      run(call, limits.navigateMs + limits.actionMs, async (on) => {
        call.progress("Going back");
        const { page, signal } = on;
        const went = await page.goBack({ waitUntil: "commit", timeout: limits.navigateMs, signal });
        if (went === null) notes.add("There is no page before this one, or it is the same document.");
        await settle(on);
        return await stateOf(page);
      }),

    snapshot: (site, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        call.progress("Looking at the page");
        const { unseen } = await readFacts(on);
        tree = await treeOf(on);
        const plain = tree.replaceAll(/ \[(?:cursor=pointer|active)\]/g, "");
        const text = shownText(plain, unseen, limits.snapshotChars, asInTree);
        return { ...(await stateOf(on.page)), ...text };
      }),

    click: (site, ref, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        const locator = await find(on.page, ref);
        if (await locator.evaluate(isSubmitting, undefined, element))
          throw submitNeeded(`${ref} submits a form`, { site, ref });
        call.progress(`Clicking ${nameIn(tree, ref)}`);
        await clickOn(locator, ref, on);
        await settle(on);
        assertNothingHeldBack(on, { site, ref });
        return await stateOf(on.page);
      }),

    type: (site, ref, text, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        const locator = await find(on.page, ref);
        call.progress(`Typing into ${nameIn(tree, ref)}`);
        await use(ref, on, () => locator.fill(text, { ...element, signal: on.signal }));
        await settle(on);
        return await stateOf(on.page);
      }),

    select: (site, ref, values, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        const locator = await find(on.page, ref);
        call.progress(`Choosing in ${nameIn(tree, ref)}`);
        await use(ref, on, () => locator.selectOption([...values], { ...element, signal: on.signal }));
        await settle(on);
        assertNothingHeldBack(on, { site, ref });
        return await stateOf(on.page);
      }),

    press: (site, key, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        const { page } = on;
        if (key === "Enter" && (await page.evaluate(isInForm)))
          throw submitNeeded("Enter would submit the form", { site });
        call.progress(`Pressing ${key}`);
        rights.touch();
        await page.keyboard.press(key);
        await settle(on);
        assertNothingHeldBack(on, { site });
        return await stateOf(page);
      }),

    submit: ({ site, ref, element: expected, to }, call) =>
      onSite(site, call, limits.actionMs + limits.loadMs, async (on) => {
        const { signal, page } = on;
        const locator = await find(page, ref);
        tree = await treeOf(on);
        const name = nameIn(tree, ref);
        if (name !== elementName(expected))
          throw new ToolsError("element_not_found", `${ref} is ${name} by now, not ${expected}`, {
            hint: "Take a new snapshot, and name the element as it is there.",
          });
        call.progress(`Submitting with ${name}`);
        using _ = rights.letSubmit([site, ...to]);
        const isField = await locator.evaluate(isTextField, undefined, element);
        if (isField) await use(ref, on, () => locator.press("Enter", { ...element, signal }));
        else await clickOn(locator, ref, on);
        await settle(on);
        assertNothingHeldBack(on, { site, ref });
        if (!page.isClosed())
          await page.waitForLoadState("load", { timeout: limits.loadMs, signal }).catch(rethrowAbort);
        return await stateOf(page);
      }),

    wait: (site, what, call) =>
      onSite(site, call, limits.waitMs + limits.actionMs, async (on) => {
        call.progress(describeWait(what));
        await waitFor(on, what);
        return await stateOf(on.page);
      }),

    extract: (site, ref, format, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        call.progress("Reading the page");
        const { page, signal } = on;
        const facts = await (ref === undefined ? readFacts(on) : factsOf(on));
        const { html, words } =
          ref === undefined
            ? { html: await page.content(), words: undefined }
            : await (await find(page, ref)).evaluate(contentOf, undefined, element);
        // The page may lie about its words: by them pieces are counted, but not kept.
        const unseen = facts.unseen.map(({ text: piece, times }) => ({
          text: piece,
          times: words?.includes(piece) === false ? 0 : times,
        }));
        const base = new URL(page.url());
        const options = { base, format, maxChars: limits.extractChars };
        const read = await readableText(html.slice(0, limits.pageChars), options, signal);
        const text = shownText(read.text, unseen, limits.extractChars);
        return { ...(await stateOf(page)), ...text, truncated: text.truncated || read.truncated };
      }),

    screenshot: (site, part, call) =>
      onSite(site, call, limits.actionMs, async (on) => {
        call.progress("Taking a picture of the page");
        const { page, signal } = on;
        const options = { type: "png", animations: "disabled", timeout: limits.actionMs, signal } as const;
        if (part === "view") return await page.screenshot(options);
        const { height } = await factsOf(on);
        if (height <= limits.screenshotHeight) return await page.screenshot({ ...options, fullPage: true });
        const width = page.viewportSize()?.width ?? 1_280;
        const clip = { x: 0, y: 0, width, height: limits.screenshotHeight };
        return await page.screenshot({ ...options, fullPage: true, clip });
      }),

    download: (site, what, call) =>
      onSite(site, call, limits.downloadMs, async (on) => {
        const { session, page, signal } = on;
        const waiting = new AbortController();
        const expected = session.expectDownload(AbortSignal.any([signal, waiting.signal]));
        expected.catch(() => undefined);
        if (what.kind === "url") {
          if (readSite(what.url) !== site)
            throw new ToolsError("request_invalid", `The address is not of ${site}`, {
              hint: "Open a page of its site first.",
            });
          await page.evaluate(downloadLink, what.url);
        } else {
          const locator = await find(page, what.ref);
          const link = await locator.evaluate(linkOf, undefined, element);
          const isHere = link !== undefined && siteOf(link) === site;
          if (isHere) await page.evaluate(downloadLink, link);
          else await clickOn(locator, what.ref, on);
        }
        call.progress("Waiting for the file");
        const gaveUp = clock.sleep(limits.navigateMs, AbortSignal.any([signal, waiting.signal]));
        try {
          const download = await Promise.race([expected, gaveUp.then(() => undefined)]);
          if (download === undefined)
            throw (
              refusalOf(session.takeRefused(), { site }) ??
              new ToolsError("download_failed", "No download began")
            );
          const taken = { folder: session.downloads, maxBytes: limits.downloadBytes, clock };
          return await takeDownload(download, taken, signal);
        } finally {
          waiting.abort();
          gaveUp.catch(() => undefined);
        }
      }),

    tabs: (call) => run(call, limits.actionMs, ({ session, page }) => Promise.resolve(tabsOf(session, page))),

    showTab: (tab, call) =>
      run(call, limits.actionMs, async ({ session }) => {
        const page = tabAt(session, tab);
        session.show(page);
        isGivenUp = false;
        return await stateOf(page);
      }),

    closeTab: (tab, call) =>
      run(call, limits.actionMs, async ({ session }) => {
        await tabAt(session, tab).close();
        return tabsOf(session, await session.page());
      }),
  };

  async function waitFor({ page, signal }: OnPage, what: WaitFor): Promise<void> {
    if (what.kind === "ms") return await clock.sleep(what.ms, signal);
    const state = what.kind === "text" ? "visible" : "hidden";
    try {
      await page.getByText(what.text).first().waitFor({ state, timeout: limits.waitMs, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const still = what.kind === "text" ? "is not on the page" : "is still on the page";
      throw new ToolsError("page_failed", `After ${limits.waitMs} ms, “${what.text}” ${still}`, {
        cause: error,
      });
    }
  }
}

/** What a tree calls an element; its ref where it has none. */
function nameIn(tree: string, ref: string): string {
  const line = tree.split("\n").find((candidate) => candidate.includes(`[ref=${ref}]`));
  return line === undefined ? ref : elementName(line);
}

function tabsOf({ context }: OpenSession, active: Page): readonly Tab[] {
  return context.pages().map((page, at) => ({
    tab: at + 1,
    url: page.url().slice(0, MOST_URL_CHARS),
    isActive: page === active,
  }));
}

function tabAt({ context }: OpenSession, tab: number): Page {
  const page = context.pages()[tab - 1];
  if (page === undefined) throw new ToolsError("page_elsewhere", `There is no tab ${tab}`);
  return page;
}

function describeWait(what: WaitFor): string {
  if (what.kind === "ms") return `Waiting for ${what.ms} ms`;
  return `Waiting until “${what.text.slice(0, 100)}” is ${what.kind === "text" ? "there" : "gone"}`;
}

/** What is waited for is a courtesy; a stop is not. */
function rethrowAbort(error: unknown): void {
  if (isAbort(error) && !(error instanceof Error && error.name === "TimeoutError")) throw error;
}

/** A snapshot writes quotes in its own ways. */
function asInTree(piece: string): readonly string[] {
  return [...new Set([piece, JSON.stringify(piece).slice(1, -1), piece.replaceAll("'", "''")])];
}
