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

/** The rights of the session's browser at this moment. */
export interface BrowserRights {
  /** Origins that the user allowed, by an answer or in the settings. */
  readonly sites: ReadonlySet<string>;
  /** Origins from the settings: they may be in a private network, whatever their names. */
  readonly own: ReadonlySet<string>;
  /** True when something was clicked or typed since the page was opened. */
  readonly isTouched: boolean;
  /** Origins that an approved submit may send to; undefined while there is none. */
  readonly submitsTo: ReadonlySet<string> | undefined;
  /** The addresses that the tabs show now. */
  readonly shown: readonly string[];
}

export type RequestVerdict =
  | { readonly kind: "pass"; readonly reach: Reach }
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
 * The origin policy. Where a name leads is for the proxy to see; here it is judged by its looks. Limit: what a site
 * changes by being read is not known to anybody but it.
 */
export function judgeRequest(request: BrowserRequest, rights: BrowserRights): RequestVerdict {
  const url = URL.parse(request.url);
  if (url === null) return refuse("scheme", "An invalid address");
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
 * No page of the web may reach into the user's own network, whatever was allowed: only that network's own pages may.
 * A public-looking name that resolves to it is refused as well, because the user did not see that.
 */
function isFromOwn(request: BrowserRequest, origin: string, { shown, sites }: BrowserRights): boolean {
  return (
    request.kind === "page" ||
    shown.every((site) => site === origin || (sites.has(site) && isPrivateSite(site)))
  );
}

/**
 * An approved submit may change what it was approved for. Otherwise, a page that was not touched may make changing
 * requests that are not forms while it loads: it can send nothing that came from here.
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
