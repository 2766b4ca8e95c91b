import { CodedError } from "@deputy/kit";
import { judgeUrl, type Reach } from "@deputy/net";
import {
  type FormEntries,
  readFormBody,
  type RequestBody,
  sameEntries,
  type FormTarget,
} from "./shown-form.ts";
import { isPrivateSite } from "./site.ts";

/** A request of the browser, redirects included, before it is sent. */
export interface BrowserRequest {
  readonly method: string;
  readonly url: string;
  /** `page`: what a tab is to show. `frame`: the same inside a page. `part`: all else, workers' requests included. */
  readonly kind: "page" | "frame" | "part";
  /** A report that the page does not wait for, such as what was clicked, or while it is left. */
  readonly isBeacon: boolean;
  /** The tab that it is made in, or for; undefined for a worker that tabs share, or a frame that is not known yet. */
  readonly tab: BrowserTab | undefined;
  /** True for the tab's own document and its workers; false for a frame in it. */
  readonly isMain: boolean;
  /** The site whose document began it. Undefined when there is none, or the document does not say. */
  readonly initiator: string | undefined;
  /** True when a call of the agent's opens this very address, or was redirected from there. */
  readonly isAgents: boolean;
  /** The sites that have redirected it, the first one first. */
  readonly via: readonly string[];
  /** True when it is what an approved submit has sent, redirected. */
  readonly followsSubmit: boolean;
  readonly body: RequestBody | undefined;
}

export interface BrowserTab {
  readonly id: string;
  /** The tab that opened it. */
  readonly opener: string | undefined;
  /** The site that it shows. */
  readonly site: string | undefined;
  /** True when something was clicked or typed on it, or on another tab of its site, since the agent opened it. */
  readonly isTouched: boolean;
  /** True while the agent clicks or presses a key there, or on the tab that opened it. */
  readonly isActedOn: boolean;
}

/** An approved submit while it runs: who may send, what, and where. */
export interface Submission {
  readonly tab: string;
  readonly isMain: boolean;
  /** The site of the document that was shown. */
  readonly site: string;
  /** The form as it was shown. Undefined: whatever a script of that document sends. */
  readonly form: (FormTarget & { readonly entries: FormEntries }) | undefined;
  /** Origins that it may send to. */
  readonly to: ReadonlySet<string>;
  /** True once the form has been sent, or the document is being left: nothing more may be sent from there. */
  readonly isOver: boolean;
  /** How often the pages that it has led to may still send a form on. */
  readonly hopsLeft: number;
}

/** The rights of the session's browser at this moment. */
export interface BrowserRights {
  /** Origins that the user allowed, by an answer or in the settings. */
  readonly sites: ReadonlySet<string>;
  /** Origins from the settings: they may be in a private network, whatever their names. */
  readonly own: ReadonlySet<string>;
  readonly submission: Submission | undefined;
  /** The sites of everything that is open: of all tabs, and of all frames in them. */
  readonly shown: readonly string[];
}

export type RequestVerdict =
  | {
      readonly kind: "pass";
      readonly reach: Reach;
      /** True when only the approved submit lets it pass. */
      readonly bySubmit: boolean;
    }
  | {
      readonly kind: "refuse";
      readonly why: "site" | "address" | "change" | "scheme";
      readonly words: string;
      /** `page`: the page's own action was refused. `aside`: a report, or a request for another party. */
      readonly matters: "page" | "aside";
    };

/** They change nothing, by the standard of HTTP. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** They lead nowhere; a tab that shows one shows what a page made up. */
const INNER: ReadonlySet<string> = new Set(["data:", "blob:", "about:"]);

export function isReading(method: string): boolean {
  return READING.has(method.toUpperCase());
}

/**
 * The origin policy: who asks, and for what. Where a name leads is for the proxy to see; here it is judged by its
 * looks. Limit: what a site changes by being read is not known to anybody but it.
 */
export function judgeRequest(request: BrowserRequest, rights: BrowserRights): RequestVerdict {
  const url = URL.parse(request.url);
  if (url === null) return refuse("scheme", "An invalid address");
  if (INNER.has(url.protocol) && request.kind !== "page")
    return { kind: "pass", reach: "public", bySubmit: false };
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refuse("scheme", `${url.protocol} addresses are not opened`);
  const isAllowed = rights.sites.has(url.origin);
  if (request.kind === "page" && !isAllowed)
    return refuse("site", `${url.origin} is a site that this session may not open yet`);
  const isOwn = rights.own.has(url.origin) || (isAllowed && isPrivateSite(url.origin));
  if (isPrivateSite(url.origin) && isOwn && !mayReachOwn(request, url.origin, rights))
    return refuse("address", `No other site may lead to ${url.origin}, which is in your own network`);
  const reach = isOwn && mayReachOwn(request, url.origin, rights) ? "own" : "public";
  try {
    judgeUrl(url, reach);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return refuse("address", error.message);
  }
  if (isReading(request.method) || maySendUnasked(request, url.origin, rights))
    return { kind: "pass", reach, bySubmit: false };
  if (rights.submission !== undefined && isApproved(request, url, rights.submission))
    return { kind: "pass", reach, bySubmit: true };
  return {
    ...refuse("change", `${request.method} ${url.origin}${url.pathname.slice(0, 100)}`),
    matters: request.kind !== "part" || (isAllowed && !request.isBeacon) ? "page" : "aside",
  };
}

/**
 * No page of the web may reach into the user's own network, whatever was allowed, and none may lead a tab there: only
 * that network's own pages may, and the agent's own calls. From one site there to another a tab is led only by what
 * the agent does. Where a document does not say who it is, everything that is open must be of that network.
 */
function mayReachOwn(request: BrowserRequest, origin: string, { shown, sites }: BrowserRights): boolean {
  const takesNeighbours = request.kind !== "page" || request.isAgents || request.tab?.isActedOn === true;
  const isFit = (site: string): boolean =>
    site === origin || (takesNeighbours && sites.has(site) && isPrivateSite(site));
  if (!request.via.every(isFit)) return false;
  if (request.isAgents) return true;
  if (request.initiator === undefined) return shown.every(isFit);
  const top = request.kind === "page" ? undefined : request.tab?.site;
  return isFit(request.initiator) && (top === undefined || isFit(top));
}

/**
 * A page that was not touched may load itself by any method, from its own site: it can send nothing that came from
 * here, and nothing to anybody else.
 */
function maySendUnasked(request: BrowserRequest, origin: string, { sites }: BrowserRights): boolean {
  const { kind, isBeacon, isMain, tab, initiator, via } = request;
  if (kind !== "part" || isBeacon || !isMain || tab === undefined || tab.isTouched) return false;
  return sites.has(origin) && [tab.site, initiator, ...via].every((site) => site === origin);
}

/** An approved submit may send what was shown, from the document that was shown, to where it said. */
function isApproved(request: BrowserRequest, url: URL, submission: Submission): boolean {
  const { tab, initiator, kind } = request;
  if (!submission.to.has(url.origin)) return false;
  if (request.followsSubmit || isSentOn(request, submission)) return true;
  if (submission.isOver || request.isBeacon || request.via.length > 0) return false;
  const isInTab = tab !== undefined && tab.id === submission.tab;
  const isPopup = kind === "page" && tab?.opener === submission.tab;
  if (!isInTab && !isPopup) return false;
  if (kind === "part" && request.isMain !== submission.isMain) return false;
  const { form } = submission;
  if (form === undefined) return initiator === submission.site;
  // A document that keeps its address to itself sends no origin; then it is the request that tells.
  if (initiator !== undefined && initiator !== submission.site) return false;
  if (request.method.toUpperCase() !== form.method || withoutFragment(url) !== form.action) return false;
  const sent = request.body === undefined ? [] : readFormBody(request.body, form.charset);
  return sent !== undefined && sameEntries(form.entries, sent);
}

/** The page that it has led to goes on to another site by a form, as signing in and paying elsewhere does. */
function isSentOn(
  { kind, tab, initiator, via }: BrowserRequest,
  { tab: id, to, hopsLeft }: Submission,
): boolean {
  if (hopsLeft <= 0 || kind !== "page" || via.length > 0 || tab?.id !== id) return false;
  return initiator !== undefined && initiator === tab.site && to.has(initiator);
}

export function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length);
}

function refuse(
  why: "site" | "address" | "change" | "scheme",
  words: string,
): RequestVerdict & { readonly kind: "refuse" } {
  return { kind: "refuse", why, words, matters: "page" };
}
