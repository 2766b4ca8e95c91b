import { z } from "zod";
import type { GuardedFetch } from "@deputy/net";
import { askJson } from "./ask-provider.ts";
import { parseAnswer, toHits } from "./read-hits.ts";
import type { SearchProvider } from "../web-tools.ts";

const NAME = "SearXNG";

const answerSchema = z.object({
  results: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      content: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
});

/**
 * A SearXNG of the user's own: `GET /search?format=json`, which its settings must allow. A key goes as a bearer's, for
 * one that stands behind a proxy.
 */
export function createSearxngSearch(deps: {
  readonly fetch: GuardedFetch;
  readonly baseUrl: string;
  readonly apiKey?: (() => string) | undefined;
}): SearchProvider {
  return {
    name: NAME,
    async search(query, count, signal) {
      const url = new URL(deps.baseUrl);
      url.pathname = `${url.pathname.replace(/\/(?:search)?$/, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      const headers: Record<string, string> =
        deps.apiKey === undefined ? {} : { authorization: `Bearer ${deps.apiKey()}` };
      const answer = parseAnswer(answerSchema, NAME, await askJson(deps.fetch, NAME, url, headers, signal));
      const raw = answer.results.map(({ title, url: found, content, publishedDate }) => ({
        title,
        url: found,
        snippet: content,
        published: publishedDate,
      }));
      return toHits(raw, count);
    },
  };
}
