import {
  type FakeSearch,
  type KnownPage,
  openSearchServer,
  pagesFor,
  type SearchAnswer,
  type SearchRequest,
} from "./fake-search-server.ts";

const PARAMETERS: ReadonlySet<string> = new Set(
  `q country search_lang ui_lang count offset safesearch freshness text_decorations spellcheck result_filter goggles
units extra_snippets summary`.split(/\s+/),
);

/** Brave's Web Search API. A wrong key and every unknown parameter is an error 422. */
export function openFakeBrave(options: {
  readonly key: string;
  readonly pages: readonly KnownPage[];
}): Promise<FakeSearch> {
  return openSearchServer((request) => {
    const complaint = findProblem(request, options.key);
    if (complaint !== undefined) return complaint;
    const query = request.parameters.get("q") ?? "";
    const count = Number(request.parameters.get("count") ?? 20);
    const found = pagesFor(options.pages, query).slice(0, count);
    const isMarked = request.parameters.get("text_decorations") !== "false";
    const results = found.map(({ title, url, text }) => ({
      title,
      url,
      is_source_local: false,
      is_source_both: false,
      description: isMarked ? `<strong>${text}</strong>` : text,
      page_age: "2026-11-01T00:00:00",
      profile: { name: title, url, long_name: new URL(url).host, img: "" },
      language: "en",
      family_friendly: true,
      type: "search_result",
      subtype: "generic",
      meta_url: {
        scheme: "https",
        netloc: new URL(url).host,
        hostname: new URL(url).host,
        favicon: "",
        path: "",
      },
      age: "2 weeks ago",
    }));
    const web = results.length === 0 ? {} : { web: { type: "search", results, family_friendly: true } };
    return { status: 200, body: { query: { original: query }, mixed: {}, type: "search", ...web } };
  });
}

function findProblem(
  { method, path, parameters, headers }: SearchRequest,
  key: string,
): SearchAnswer | undefined {
  if (path !== "/res/v1/web/search") return problem(404, "NOT_FOUND", "No such resource");
  if (method !== "GET") return problem(405, "METHOD_NOT_ALLOWED", "Method not allowed");
  if (headers["x-subscription-token"] === undefined)
    return problem(422, "VALIDATION", "x-subscription-token is missing");
  if (headers["x-subscription-token"] !== key)
    return problem(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.");
  const query = parameters.get("q") ?? "";
  const count = parameters.get("count") ?? "20";
  const isRight =
    [...parameters.keys()].every((name) => PARAMETERS.has(name)) &&
    query !== "" &&
    query.length <= 400 &&
    query.split(/\s+/).length <= 50 &&
    /^(?:[1-9]|1\d|20)$/.test(count);
  return isRight ? undefined : problem(422, "VALIDATION", "Unable to validate request parameter(s)");
}

function problem(status: number, code: string, detail: string): SearchAnswer {
  const error = { id: "0", status, code, detail, meta: { component: "search" } };
  return { status, body: { type: "ErrorResponse", error, time: 1_794_000_000 } };
}
