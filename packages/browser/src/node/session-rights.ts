import type { BrowserRights, Submission } from "../judge-request.ts";
import { withoutFragment } from "../judge-request.ts";
import { ToolsError } from "@deputy/tools";

/** The rights of a session's browser, while Deputy runs. Tabs are named by their ids. */
export interface SessionRights {
  /**
   * Allows a site for as long as `isGranted` says so; without it, while Deputy runs. Throws `site_not_allowed` when
   * there are too many.
   */
  allow(site: string, isGranted?: () => Promise<boolean>): void;
  /** Takes back the sites whose grants have ended, and names them. Never rejects. */
  refresh(): Promise<readonly string[]>;
  /** Something was clicked or typed. */
  touch(tab: string): void;
  /** A page has opened another tab: what was done on it may go on there. */
  inherit(tab: string, opener: string): void;
  /** The tab is closed, or the agent has opened a page in it: forgets all clicks and typing. */
  renew(tab: string): void;
  isTouched(tab: string): boolean;
  /** The tab shows another document. What an approved submit has led to counts as newly opened. */
  committed(tab: string): void;
  /** The agent opens this very address in a tab, until it is disposed. */
  letOpen(tab: string, url: string): Disposable;
  isOpening(tab: string, url: string): boolean;
  /** The agent does something on a tab, until it is disposed. */
  letAct(tab: string): Disposable;
  isActedOn(tab: string): boolean;
  letSubmit(submission: Omit<Submission, "isOver" | "hopsLeft">): RunningSubmit;
  /** The approved submit has sent something. */
  sent(): void;
  /** A tab is to show another page: the one that the approved submit leads to, or any other. */
  leaving(tab: string, how: "by the submit" | "by itself"): void;
  current(shown: readonly string[]): BrowserRights;
}

/** A submit that runs until it is disposed. */
export interface RunningSubmit extends Disposable {
  readonly wasSent: boolean;
  /** True once its tab is to show another page. */
  readonly hasLeft: boolean;
}

interface Running extends Submission {
  isOver: boolean;
  hopsLeft: number;
  wasSent: boolean;
  hasLeft: boolean;
  /** True if the page that the tab is to show next is the answer to what was sent. */
  isLed: boolean;
  /** True once the tab has shown that. */
  hasArrived: boolean;
}

const MOST_SITES = 200;
/** Signing in elsewhere takes one or two. */
const MOST_HOPS = 3;

export function createSessionRights(own: ReadonlySet<string>): SessionRights {
  const allowed = new Map<string, (() => Promise<boolean>) | undefined>();
  const touched = new Set<string>();
  /** Tabs that wait for the page that an approved submit leads to. */
  const submitted = new Set<string>();
  let opening: { readonly tab: string; readonly url: string } | undefined;
  let actsOn: string | undefined;
  let submission: Running | undefined;
  let hops = 0;
  return {
    allow(site, isGranted) {
      if (allowed.size >= MOST_SITES && !allowed.has(site))
        throw new ToolsError("site_not_allowed", `This session may open ${MOST_SITES} sites already`);
      allowed.set(site, isGranted);
    },
    async refresh() {
      const closed: string[] = [];
      for (const [site, isGranted] of allowed) {
        if (isGranted === undefined || (await isGranted().catch(() => false))) continue;
        // Another yes may have come meanwhile.
        if (allowed.get(site) !== isGranted) continue;
        allowed.delete(site);
        if (!own.has(site)) closed.push(site);
      }
      return closed;
    },
    touch(tab) {
      touched.add(tab);
      submitted.delete(tab);
    },
    inherit(tab, opener) {
      if (touched.has(opener)) touched.add(tab);
    },
    renew(tab) {
      touched.delete(tab);
      submitted.delete(tab);
    },
    isTouched: (tab) => touched.has(tab),
    committed(tab) {
      if (submitted.delete(tab)) touched.delete(tab);
      if (submission?.tab !== tab || !submission.wasSent) return;
      // A page that has sent the form by a script, and then goes on by itself, is not where the form leads.
      submission.hasArrived ||= submission.isLed || submission.form === undefined;
      if (submission.hasArrived) submission.hopsLeft = MOST_HOPS - hops;
    },
    letOpen(tab, url) {
      opening = { tab, url: withoutFragment(new URL(url)) };
      return { [Symbol.dispose]: () => void (opening = undefined) };
    },
    isOpening: (tab, url) => opening?.tab === tab && opening.url === url,
    letAct(tab) {
      actsOn = tab;
      return { [Symbol.dispose]: () => void (actsOn = undefined) };
    },
    isActedOn: (tab) => actsOn === tab,
    letSubmit(given) {
      const running: Running = {
        ...given,
        isOver: false,
        hopsLeft: 0,
        wasSent: false,
        hasLeft: false,
        isLed: false,
        hasArrived: false,
      };
      submission = running;
      hops = 0;
      return {
        get wasSent() {
          return running.wasSent;
        },
        get hasLeft() {
          return running.hasLeft;
        },
        [Symbol.dispose]: () => void (submission = undefined),
      };
    },
    sent() {
      if (submission === undefined) return;
      submission.wasSent = true;
      submission.isOver ||= submission.form !== undefined;
      // Each page sends on once.
      if (submission.hopsLeft > 0) hops += 1;
      submission.hopsLeft = 0;
      submitted.add(submission.tab);
    },
    leaving(tab, how) {
      if (submission?.tab !== tab) return;
      submission.isLed = how === "by the submit";
      submission.isOver = true;
      submission.hasLeft = true;
    },
    current: (shown) => ({ sites: new Set([...own, ...allowed.keys()]), own, submission, shown }),
  };
}
