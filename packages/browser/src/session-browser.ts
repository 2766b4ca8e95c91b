import type { ShownForm } from "./shown-form.ts";

/** What every method gets in addition to its order. */
export interface BrowserCall {
  readonly signal: AbortSignal;
  /** Shown live to the user. */
  progress(message: string): void;
}

/** The browser's current page. The page itself controls everything in it except `site`. */
export interface PageState {
  /** The page's origin, which later calls name; empty where no page is open. */
  readonly site: string;
  readonly url: string;
  readonly title: string;
  /** Events since the last answer that are not on the page: dialogs, refused requests, popups. */
  readonly notes: readonly string[];
}

export interface PageText extends PageState {
  readonly text: string;
  /** True when there is more. */
  readonly truncated: boolean;
  /** Pieces of text left out since a person would not see them. */
  readonly hidden: number;
}

export interface Tab {
  readonly tab: number;
  readonly url: string;
  readonly isActive: boolean;
}

export type WaitFor =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "gone"; readonly text: string }
  | { readonly kind: "ms"; readonly ms: number };

export interface SubmitOrder {
  readonly site: string;
  /** Undefined for the only element of its name. */
  readonly ref: string | undefined;
  /** The element that the ref must stand for, as a snapshot shows it. */
  readonly element: string;
  /** Origins that may be sent to in addition to the site and to where the form goes. */
  readonly to: readonly string[];
  /** `script`: the page's own script is to send it, so that nobody can say what and where. */
  readonly by: "form" | "script";
}

export type DownloadOf =
  | { readonly kind: "ref"; readonly ref: string }
  | { readonly kind: "url"; readonly url: string };

/**
 * The browser of one session, with a profile of its own. It is started when it is first needed, and again when it
 * has ended. Calls run one after the other.
 *
 * All methods reject with a `ToolsError` or with the signal's reason. Those that take `site` reject with
 * `page_elsewhere` unless the page is there.
 */
export interface SessionBrowser {
  /** From now on pages of this origin may be opened: while `isGranted` says so, else until Deputy stops. Idempotent. */
  allowSite(site: string, isGranted?: () => Promise<boolean>): void;
  /** Rejects with `site_not_allowed`, also where a redirect leads to such a site, and with `page_failed`. */
  navigate(url: string, call: BrowserCall): Promise<PageState>;
  back(call: BrowserCall): Promise<PageState>;
  /** The page as a tree of what a person can see and use, with refs. */
  snapshot(site: string, call: BrowserCall): Promise<PageText>;
  /** Rejects with `element_not_found`, and with `approval_needed` where it would submit or has tried to. */
  click(site: string, ref: string, call: BrowserCall): Promise<PageState>;
  type(site: string, ref: string, text: string, call: BrowserCall): Promise<PageState>;
  select(site: string, ref: string, values: readonly string[], call: BrowserCall): Promise<PageState>;
  press(site: string, key: string, call: BrowserCall): Promise<PageState>;
  /**
   * What a submit would send now. It is kept for the call: its card, and the grounds that are told after its
   * circumstances, are of the same look at the page. Undefined when there is nothing of the kind. Never rejects, and
   * starts no browser.
   */
  lookAtSubmit(
    order: SubmitOrder,
    callId: string | undefined,
    what: "circumstances" | "grounds" | "card",
  ): Promise<ShownForm | undefined>;
  /** In fixed words, what has changed since the first look for a call; undefined when nothing has. */
  submitChange(callId: string): string | undefined;
  /**
   * The same as a click on a button, or Enter in a field, and what was shown for this call is let through. Rejects
   * with `page_changed` when that is something else by now.
   */
  submit(order: SubmitOrder, callId: string, call: BrowserCall): Promise<PageState>;
  /** Rejects with `wait_timeout`. */
  wait(site: string, what: WaitFor, call: BrowserCall): Promise<PageState>;
  extract(
    site: string,
    ref: string | undefined,
    format: "text" | "markdown",
    call: BrowserCall,
  ): Promise<PageText>;
  screenshot(site: string, part: "view" | "page", call: BrowserCall): Promise<Uint8Array>;
  /** Rejects with `download_failed`. */
  download(
    site: string,
    what: DownloadOf,
    call: BrowserCall,
  ): Promise<{ readonly name: string; readonly bytes: Uint8Array }>;
  tabs(call: BrowserCall): Promise<readonly Tab[]>;
  showTab(tab: number, call: BrowserCall): Promise<PageState>;
  closeTab(tab: number, call: BrowserCall): Promise<readonly Tab[]>;
}

/** The browsers of all sessions. */
export interface Browsers {
  /** By the id of the session, which one agent has: two of the same key share nothing. */
  of(session: string): SessionBrowser;
}
