import { type FakeSearch, type KnownPage, openSearchServer, pagesFor } from "./fake-search-server.ts";

/**
 * A SearXNG, by its Search API. A format that its settings do not allow is an error 403; `key` is required by
 * a proxy.
 */
export function openFakeSearxng(options: {
  readonly formats: readonly string[];
  readonly pages: readonly KnownPage[];
  readonly key?: string;
}): Promise<FakeSearch> {
  return openSearchServer(({ method, path, parameters, headers }) => {
    if (options.key !== undefined && headers.authorization !== `Bearer ${options.key}`)
      return { status: 401, body: "<h1>401 Authorization Required</h1>" };
    if (path !== "/search" && path !== "/") return { status: 404, body: "<h1>Page not found</h1>" };
    if (method !== "GET") return { status: 405, body: "<h1>Method Not Allowed</h1>" };
    const format = parameters.get("format") ?? "html";
    if (!options.formats.includes(format)) return { status: 403, body: "<h1>Forbidden</h1>" };
    const query = parameters.get("q") ?? "";
    if (query === "") return { status: 400, body: { error: "No query" } };
    const results = pagesFor(options.pages, query).map(({ title, url, text }, at) => ({
      url,
      title,
      content: text,
      publishedDate: at === 0 ? "2026-11-01T00:00:00" : null,
      engine: "duckduckgo",
      parsed_url: ["https", new URL(url).host, new URL(url).pathname, "", "", ""],
      template: "default.html",
      engines: ["duckduckgo"],
      positions: [at + 1],
      score: 1 / (at + 1),
      category: "general",
    }));
    const rest = { answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] };
    return { status: 200, body: { query, number_of_results: 0, results, ...rest } };
  });
}
