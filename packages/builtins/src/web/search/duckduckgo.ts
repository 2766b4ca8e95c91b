import type { GuardedFetch } from "@deputy/net";
import { tokenizeHtml } from "@deputy/net/tokenize-html";
import { askText, failureOf } from "./ask-provider.ts";
import { toHits } from "./read-hits.ts";
import type { SearchProvider } from "../web-tools.ts";

const NAME = "DuckDuckGo";
const ADDRESS = "https://html.duckduckgo.com";
/** The longest query it accepts. */
const MOST_CHARS = 500;

/**
 * DuckDuckGo's page for browsers without scripts: it needs no key, and it is no API, so that it may look different one
 * day. It asks whoever it takes for a machine to prove the opposite; then this is `search_failed`.
 */
export function createDuckDuckGoSearch(deps: {
  readonly fetch: GuardedFetch;
  readonly baseUrl?: string | undefined;
}): SearchProvider {
  return {
    name: NAME,
    async search(query, count, signal) {
      const url = new URL("/html/", deps.baseUrl ?? ADDRESS);
      url.searchParams.set("q", query.slice(0, MOST_CHARS));
      const page = await askText(deps.fetch, NAME, url, { accept: "text/html" }, signal);
      const { results, isKnown } = readResults(page);
      if (/class="[^"]*\banomaly/.test(page))
        throw failed(
          "it takes Deputy for a machine and asks to prove the opposite; try later, or set another provider",
        );
      if (!isKnown) throw failed("its page is not what it used to be; set another provider");
      return toHits(results, count);
    },
  };
}

const failed = failureOf(NAME);

interface Result {
  readonly title: string;
  readonly url: string;
  snippet: string;
  readonly published: undefined;
}

/** The results of a page, advertisements left out. `isKnown` is false for a page that is no page of results. */
function readResults(page: string): { readonly results: readonly Result[]; readonly isKnown: boolean } {
  const results: Result[] = [];
  let isKnown = false;
  let url: string | undefined;
  let title = "";
  let into: "title" | "snippet" | undefined;
  let within = "";
  for (const token of tokenizeHtml(page)) {
    if (token.kind === "open") {
      const classes = (token.attributes.get("class") ?? "").split(/\s+/);
      if (classes.includes("no-results") || token.attributes.get("id") === "links") isKnown = true;
      if (into !== undefined) continue;
      if (classes.includes("result__a")) {
        isKnown = true;
        [url, title, into, within] = [leadsTo(token.attributes.get("href") ?? ""), "", "title", token.name];
      } else if (classes.includes("result__snippet")) [into, within] = ["snippet", token.name];
    } else if (token.kind === "text") {
      const last = results.at(-1);
      if (into === "title") title += token.text;
      else if (into === "snippet" && last !== undefined && url !== undefined) last.snippet += token.text;
    } else if (token.kind === "close" && token.name === within) {
      if (into === "title" && url !== undefined)
        results.push({ title, url, snippet: "", published: undefined });
      into = undefined;
      within = "";
    }
  }
  return { results, isKnown };
}

/** Results lead through a page of theirs, or straight there; an advertisement is undefined. */
function leadsTo(href: string): string | undefined {
  const found = URL.parse(href, ADDRESS);
  if (found === null) return undefined;
  if (!/(?:^|\.)duckduckgo\.com$/.test(found.host)) return found.href;
  return found.pathname === "/l/" ? (found.searchParams.get("uddg") ?? undefined) : undefined;
}
