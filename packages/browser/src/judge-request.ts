import { CodedError } from "@deputy/kit";
import { judgeUrl, type Reach } from "@deputy/net";
import { isPrivateSite } from "./site.ts";

/** A request of the browser, redirects included, before it is sent. */
export interface BrowserRequest {
  readonly method: string;
  readonly url: string;
  /** `page`: what a tab is to show. `frame`: the same inside a page. `part`: all else, workers' requests included. */
  readonly kind: "page" | "frame" | "part";
  /** A report that the page does not wait for, such as what was clicked, or while it is left. */
  readonly isBeacon: boolean;
}

/** What the session's browser may do now. */
export interface BrowserRights {
  /** Origins that the user allowed, by an answer or in the settings. */
  readonly sites: ReadonlySet<string>;
  /** Those of the settings: they may be in a private network, whatever they are called. */
  readonly own: ReadonlySet<string>;
  /** Whether something was clicked or typed since the page was opened. */
  readonly isTouched: boolean;
  /** Where an approved submit may send to; nothing while there is none. */
  readonly submitsTo: ReadonlySet<string> | undefined;
  /** What the tabs show now. */
  readonly shown: readonly string[];
}

export type RequestVerdict =
  | { readonly kind: "pass"; readonly reach: Reach }
  | {
      readonly kind: "refuse";
      readonly why: "site" | "address" | "change" | "scheme";
      readonly words: string;
      /** `page`: what was to happen did not. `aside`: a report, or for somebody else. */
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
 * The origin policy. Where a name leads is for the proxy to see; here it is judged by its looks. Limit: what a site
 * changes by being read is not known to anybody but it.
 */
export function judgeRequest(request: BrowserRequest, rights: BrowserRights): RequestVerdict {
  const url = URL.parse(request.url);
  if (url === null) return refuse("scheme", "An address that is none");
  if (INNER.has(url.protocol) && request.kind !== "page") return { kind: "pass", reach: "public" };
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refuse("scheme", `${url.protocol} addresses are not opened`);
  const isAllowed = rights.sites.has(url.origin);
  if (request.kind === "page" && !isAllowed)
    return refuse("site", `${url.origin} is a site that this session may not open yet`);
  const isOwn = rights.own.has(url.origin) || (isAllowed && isPrivateSite(url.origin));
  const reach = isOwn && isFromOwn(request, url.origin, rights) ? "own" : "public";
  try {
    judgeUrl(url, reach);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return refuse("address", error.message);
  }
  if (!isReading(request.method) && !mayChange(request, url.origin, rights))
    return {
      ...refuse("change", `${request.method} ${url.origin}${url.pathname.slice(0, 100)}`),
      matters: request.kind !== "part" || (isAllowed && !request.isBeacon) ? "page" : "aside",
    };
  return { kind: "pass", reach };
}

/**
 * No page of the web may reach into the user's own network, whatever was allowed: only its own pages may. A name that
 * looks public and leads there is no way in either: the user was not told.
 */
function isFromOwn(request: BrowserRequest, origin: string, { shown, sites }: BrowserRights): boolean {
  return (
    request.kind === "page" ||
    shown.every((site) => site === origin || (sites.has(site) && isPrivateSite(site)))
  );
}

/**
 * An approved submit changes what it was approved for. Otherwise, a page that nobody has touched may load itself
 * with what is no form: it can send nothing that came from here.
 */
function mayChange(request: BrowserRequest, origin: string, rights: BrowserRights): boolean {
  if (rights.submitsTo !== undefined) return rights.submitsTo.has(origin);
  return !rights.isTouched && !request.isBeacon && request.kind === "part" && rights.sites.has(origin);
}

function refuse(
  why: "site" | "address" | "change" | "scheme",
  words: string,
): RequestVerdict & { readonly kind: "refuse" } {
  return { kind: "refuse", why, words, matters: "page" };
}
