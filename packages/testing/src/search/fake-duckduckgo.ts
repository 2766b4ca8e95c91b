import { type FakeSearch, type KnownPage, openSearchServer, pagesFor } from "./fake-search-server.ts";

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const through = (url: string): string =>
  escape(`//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&rut=0f3a`);

/** The page that DuckDuckGo shows to browsers without scripts, with an advertisement before the results. */
export function openFakeDuckDuckGo(options: { readonly pages: readonly KnownPage[] }): Promise<FakeSearch> {
  return openSearchServer(({ method, path, parameters }) => {
    if (path !== "/html/") return { status: 404, body: "<h1>Not Found</h1>" };
    if (method !== "GET" && method !== "POST") return { status: 405, body: "<h1>Method Not Allowed</h1>" };
    const query = parameters.get("q") ?? "";
    if (query === "") return { status: 302, body: "" };
    const found = pagesFor(options.pages, query);
    return { status: 200, body: pageOf(query, found) };
  });
}

function pageOf(query: string, pages: readonly KnownPage[]): string {
  const results = pages.map(
    ({ title, url, text }) => `
  <div class="result results_links results_links_deep web-result ">
    <div class="links_main links_deep result__body">
      <h2 class="result__title"><a rel="nofollow" class="result__a" href="${through(url)}">${escape(title)}</a></h2>
      <div class="result__extras"><div class="result__extras__url">
        <span class="result__icon"><a rel="nofollow" href="${through(url)}"><img class="result__icon__img" alt="" /></a></span>
        <a class="result__url" href="${through(url)}">${escape(url)}</a></div></div>
      <a class="result__snippet" href="${through(url)}">${escape(text).replace(/^\w+/, "<b>$&</b>")}</a>
      <div class="clear"></div></div></div>`,
  );
  const ad = `
  <div class="result results_links results_links_deep result--ad ">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy it</a></h2>
    <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Cheap.</a></div>`;
  const body =
    pages.length === 0 ? '<div class="no-results">No results found for <b></b></div>' : ad + results.join("");
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html><head><title>${escape(query)} at DuckDuckGo</title></head>
<body class="body--html"><form id="search_form_homepage" action="/html/"></form><div id="links" class="results">${body}</div></body></html>`;
}
