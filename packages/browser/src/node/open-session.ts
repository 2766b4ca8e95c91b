import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Download, Page, Request } from "playwright-core";
import type { BrowserRequest, BrowserTab } from "../judge-request.ts";
import { siteOf } from "../site.ts";
import type { NetAudit } from "@deputy/net";
import type { Resolve } from "@deputy/net/node";
import type { BrowserLimits } from "./browser-limits.ts";
import { openGuardProxy } from "./guard-proxy.ts";
import { launchBrowser, type LaunchOptions } from "./launch-browser.ts";
import { guardNetwork, type NetworkGuard } from "./network-guard.ts";
import { openTabs, type OpenTabs } from "./open-tabs.ts";
import type { PageNotes } from "./page-notes.ts";
import type { SessionRights } from "./session-rights.ts";

/** A session's browser while it runs. */
export interface OpenSession extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly guard: NetworkGuard;
  /** The folder for files while the browser downloads them. */
  readonly downloads: string;
  /** Aborted when the browser has ended, for any reason. */
  readonly ended: AbortSignal;
  /** The id by which rights and requests name a tab; rejects when it has been closed. */
  readonly tabIdOf: OpenTabs["idOf"];
  /** Closes the tabs of sites that the user has taken back. */
  refresh(): Promise<void>;
  /** The tabs, without those that are being closed. */
  tabs(): readonly Page[];
  /** The tab that calls use; it is opened if there is none. */
  page(): Promise<Page>;
  show(page: Page): void;
  /** True while a tab waits for the answer to what it is to show next. */
  isAwaiting(page: Page): boolean;
  /** Closes a tab; nothing more is done on it. */
  leave(page: Page): void;
  /** True if `takeRefused` would return any. */
  hasRefused(tab: string): boolean;
  /** The requests that were refused since the last call of this, without those of tabs that have nothing to do with it. */
  takeRefused(tab: string): readonly Refused[];
  /** Resolves with the next download; until then any other is cancelled. */
  expectDownload(signal: AbortSignal): Promise<Download>;
}

export interface Refused {
  readonly why: "site" | "address" | "change" | "scheme";
  readonly kind: BrowserRequest["kind"];
  readonly url: string;
  readonly words: string;
  readonly matters: "page" | "aside";
  readonly tab: Pick<BrowserTab, "id" | "opener"> | undefined;
}

export interface OpenSessionDeps {
  readonly launch: Omit<LaunchOptions, "proxy">;
  readonly resolve: Resolve;
  readonly limits: BrowserLimits;
  readonly notes: PageNotes;
  readonly audit: NetAudit;
  readonly rights: SessionRights;
}

const MOST_REFUSED = 100;

/** Starts the browser behind its proxy, with every tab watched. Rejects with `browser_failed`. */
export async function openSession(deps: OpenSessionDeps): Promise<OpenSession> {
  const { limits, notes, rights } = deps;
  await using opened = new AsyncDisposableStack();
  const ended = new AbortController();
  const network: { guard?: NetworkGuard } = {};
  const admit = (host: string, port: number) => network.guard?.admitted(host, port);
  const proxy = opened.use(await openGuardProxy({ admit, resolve: deps.resolve }));
  const launched = opened.use(await launchBrowser({ ...deps.launch, proxy }));
  const { context, browser, session } = launched;
  browser.once("disconnected", () => ended.abort(new Error("The browser has ended")));
  let refused: Refused[] = [];
  let active: Page | undefined;
  let awaited: ((download: Download) => void) | undefined;

  /** Pages on their way out: nothing is done on them any more. */
  const leaving = new WeakSet<Page>();
  const close = (page: Page): void => {
    leaving.add(page);
    page.close().catch(() => undefined);
  };
  /** What each tab has asked for and is to show. */
  const awaitedPages = new WeakMap<Page, Request>();
  const tabs = (): readonly Page[] => context.pages().filter((page) => !leaving.has(page));
  const refresh = async (): Promise<void> => {
    for (const site of await rights.refresh()) {
      notes.add(`${site} was taken back: its pages were closed.`);
      for (const page of tabs()) if (siteOf(page.url()) === site) close(page);
    }
  };
  const followed = await openTabs({ context, session, rights });
  const guard = await guardNetwork({
    session,
    proxy,
    tabs: followed,
    isOpening: rights.isOpening,
    rights: async () => {
      await refresh();
      return () => rights.current(followed.shown());
    },
    onPassed: ({ kind, tab, followsSubmit }, { bySubmit }) => {
      if (kind === "page" && tab !== undefined)
        rights.leaving(tab.id, bySubmit || followsSubmit ? "by the submit" : "by itself");
      if (bySubmit) rights.sent();
    },
    audit: deps.audit,
    onRefused: ({ kind, url, tab }, { why, words, matters }) => {
      if (refused.length < MOST_REFUSED) refused.push({ why, kind, url, words, matters, tab });
      if (why === "change") notes.add(`Held back, because it was not approved: ${words}`);
      else notes.add(`Refused: ${words}`);
    },
  });

  network.guard = guard;

  const follow = (page: Page): void => {
    const isOver = (request: Request): void => {
      if (awaitedPages.get(page) === request) awaitedPages.delete(page);
    };
    page.on("request", (request) => {
      if (request.isNavigationRequest() && isOfTab(request, page)) awaitedPages.set(page, request);
    });
    page.on("requestfinished", isOver);
    page.on("requestfailed", isOver);
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) awaitedPages.delete(page);
    });
  };

  const watch = (page: Page): void => {
    follow(page);
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      const isLeaving = dialog.type() === "beforeunload";
      notes.add(`The page showed a dialog (${dialog.type()}), which was dismissed: ${dialog.message()}`);
      (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
      if (dialogs <= limits.dialogs) return;
      notes.add("The page showed too many dialogs and was closed.");
      close(page);
    });
    page.on("download", (download) => {
      if (awaited !== undefined) {
        awaited(download);
        awaited = undefined;
        return;
      }
      notes.add(`The page began a download that was not asked for; Deputy cancelled it: ${download.url()}`);
      download.cancel().catch(() => undefined);
    });
    page.on("crash", () => {
      notes.add("The page crashed and was closed.");
      close(page);
    });
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame() || isFit(frame.url())) return;
      notes.add(`The page went to ${frame.url()}, which is not opened, and was closed.`);
      close(page);
    });
  };
  const isFit = (address: string): boolean => {
    const site = siteOf(address);
    if (site !== undefined) return rights.current([]).sites.has(site);
    return address === "about:blank" || address === "" || address.startsWith("chrome-error:");
  };

  // Sockets that the proxy does not see begin in a page's own script.
  await context.addInitScript(() => {
    for (const name of ["WebSocket", "WebSocketStream", "WebTransport", "RTCPeerConnection"])
      Reflect.deleteProperty(globalThis, name);
  });
  for (const page of context.pages()) watch(page);
  context.on("page", (page) => {
    watch(page);
    const count = tabs().length;
    if (count > limits.tabs) {
      notes.add("The page opened too many tabs; the last ones were closed.");
      close(page);
    } else if (count > 1) notes.add(`The page opened another tab: tab ${count}.`);
  });

  const owned = opened.move();
  return {
    context,
    guard,
    downloads: launched.downloads,
    ended: ended.signal,
    tabIdOf: followed.idOf,
    refresh,
    tabs,
    async page() {
      if (active === undefined || active.isClosed() || leaving.has(active))
        active = tabs().at(-1) ?? (await openTab(context));
      return active;
    },
    show(page) {
      active = page;
    },
    isAwaiting: (page) => awaitedPages.has(page),
    leave: close,
    hasRefused: (id) => refused.some(concerns(id)),
    takeRefused(id) {
      const taken = refused;
      refused = [];
      return taken.filter(concerns(id));
    },
    expectDownload(signal) {
      return new Promise((resolve, reject) => {
        awaited = resolve;
        signal.addEventListener(
          "abort",
          () => {
            awaited = undefined;
            reject(new Error("There was no download"));
          },
          { once: true },
        );
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function concerns(id: string) {
  return ({ tab }: Refused): boolean => tab === undefined || tab.id === id || tab.opener === id;
}

/** Before a frame is known, its request has none. */
function isOfTab(request: Request, page: Page): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    return false;
  }
}

/** Longer than a busy machine takes for an empty tab. */
const NEW_TAB_MS = 10_000;

/** A tab whose process dies while it is being made never comes, and nobody is told. Then there is another. */
async function openTab(context: BrowserContext): Promise<Page> {
  const first = context.newPage();
  const over = new AbortController();
  const late = sleep(NEW_TAB_MS, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  try {
    const made = await Promise.race([first, late]);
    if (made !== undefined) return made;
  } finally {
    over.abort();
  }
  // Should it come after all, nobody wants it any more.
  first.then((page) => page.close()).catch(() => undefined);
  return await context.newPage();
}
