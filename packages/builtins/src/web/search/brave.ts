import { z } from "zod";
import type { GuardedFetch } from "@deputy/net";
import { askJson } from "./ask-provider.ts";
import { parseAnswer, toHits } from "./read-hits.ts";
import type { SearchProvider } from "../web-tools.ts";

const NAME = "Brave Search";
const ADDRESS = "https://api.search.brave.com";
/** The longest query it accepts. */
const MOST_CHARS = 400;
const MOST_WORDS = 50;

const answerSchema = z.object({
  web: z
    .object({
      results: z.array(
        z.object({
          title: z.string(),
          url: z.string(),
          description: z.string().nullish(),
          age: z.string().nullish(),
        }),
      ),
    })
    .nullish(),
});

/** Brave's Web Search API: `GET /res/v1/web/search`, with the key in `X-Subscription-Token`. */
export function createBraveSearch(deps: {
  readonly fetch: GuardedFetch;
  /** Looked up for each question. Throws as it does. */
  readonly apiKey: () => string;
  readonly baseUrl?: string | undefined;
}): SearchProvider {
  return {
    name: NAME,
    async search(query, count, signal) {
      const url = new URL("/res/v1/web/search", deps.baseUrl ?? ADDRESS);
      const words = query.trim().split(/\s+/).slice(0, MOST_WORDS).join(" ");
      url.searchParams.set("q", words.slice(0, MOST_CHARS));
      url.searchParams.set("count", String(count));
      url.searchParams.set("text_decorations", "false");
      const answer = await askJson(deps.fetch, NAME, url, { "x-subscription-token": deps.apiKey() }, signal);
      const { web } = parseAnswer(answerSchema, NAME, answer);
      const raw = (web?.results ?? []).map(({ title, url: found, description, age }) => ({
        title,
        url: found,
        snippet: description,
        published: age,
      }));
      return toHits(raw, count);
    },
  };
}
