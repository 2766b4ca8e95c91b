import { openFakeBrave, openFakeDuckDuckGo, openFakeSearxng } from "@deputy/testing";
import { expect, test } from "vitest";
import { openFetch } from "@deputy/testing/net";
import { createBraveSearch } from "./brave.ts";
import { createDuckDuckGoSearch } from "./duckduckgo.ts";
import { createSearxngSearch } from "./searxng.ts";

const live = new AbortController().signal;
const pages = [
  { title: "Otters & rivers", url: "https://otters.example.org/a", text: "Otters swim &amp; dive." },
  { title: "Otters again", url: "https://otters.example.org/a", text: "The same page." },
  { title: "No page", url: "javascript:alert(1)//otters.example.org", text: "An otter." },
  { title: "Beavers", url: "https://beavers.example.org/", text: "Not otters." },
];

async function openBrave(key = "k1") {
  const server = await openFakeBrave({ key: "k1", pages });
  const { fetch, audited } = openFetch({ allowPrivate: [server.origin] });
  return {
    server,
    audited,
    provider: createBraveSearch({ fetch, apiKey: () => key, baseUrl: server.origin }),
  };
}

async function openSearxng(options: { formats?: readonly string[]; key?: string; path?: string } = {}) {
  const { formats = ["html", "json"], key } = options;
  const server = await openFakeSearxng({ formats, pages, ...(key === undefined ? {} : { key }) });
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  const baseUrl = server.origin + (options.path ?? "");
  const apiKey = key === undefined ? undefined : () => key;
  return { server, provider: createSearxngSearch({ fetch, baseUrl, apiKey }) };
}

test("[TW6] Brave is asked by its wire; each page comes once, in plain words, and only as many as are wanted", async () => {
  const { server, provider, audited } = await openBrave();
  await using _ = server;
  expect(await provider.search("otters", 5, live)).toEqual([
    {
      title: "Otters & rivers",
      url: "https://otters.example.org/a",
      snippet: "Otters swim & dive.",
      published: "2 weeks ago",
    },
    {
      title: "Beavers",
      url: "https://beavers.example.org/",
      snippet: "Not otters.",
      published: "2 weeks ago",
    },
  ]);
  expect(await provider.search("otters", 1, live)).toHaveLength(1);
  expect(await provider.search("nothing", 5, live)).toEqual([]);
  expect(JSON.stringify(audited)).not.toContain("k1");
});

test("[TW6] a question that is too long for Brave is cut, not refused", async () => {
  const { server, provider } = await openBrave();
  await using _ = server;
  await provider.search("otters ".repeat(100), 5, live);
  await provider.search("o".repeat(900), 5, live);
  expect(server.requests.map(({ parameters }) => parameters.get("q")?.length)).toEqual([349, 400]);
});

test("[TW6] SearXNG is asked by its wire, wherever its address ends, with a key where there is one", async () => {
  for (const path of ["", "/", "/search"]) {
    const { server, provider } = await openSearxng({ path, key: "k2" });
    await using _ = server;
    expect(await provider.search("otters", 1, live)).toEqual([
      {
        title: "Otters & rivers",
        url: "https://otters.example.org/a",
        snippet: "Otters swim & dive.",
        published: "2026-11-01T00:00:00",
      },
    ]);
    expect((await provider.search("otters", 5, live))[1]).not.toHaveProperty("published");
  }
});

test("[TW6] what is wrong is told in words: the key, the format, too many questions, an answer that is none", async () => {
  const wrongKey = await openBrave("k9");
  await using _wrongKey = wrongKey.server;
  await expect(wrongKey.provider.search("otters", 5, live)).rejects.toMatchObject({
    code: "search_failed",
    message: expect.stringContaining("the key"),
  });
  const html = await openSearxng({ formats: ["html"] });
  await using _html = html.server;
  await expect(html.provider.search("otters", 5, live)).rejects.toMatchObject({
    code: "search_failed",
    message: expect.stringContaining("search.formats"),
  });
  const { server, provider } = await openBrave();
  await using _ = server;
  for (const [status, body] of [
    [429, {}],
    [503, "busy"],
    [200, "<html>"],
    [200, { web: { results: [{ title: 1 }] } }],
    [200, []],
    [302, ""],
  ] as const) {
    server.answerNext({ status, body });
    await expect(provider.search("otters", 5, live)).rejects.toMatchObject({ code: "search_failed" });
  }
});

test("[TW9] DuckDuckGo is asked without a key: results in plain words with their own addresses, no advertisement", async () => {
  await using server = await openFakeDuckDuckGo({ pages });
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  const provider = createDuckDuckGoSearch({ fetch, baseUrl: server.origin });
  expect(await provider.search("otters", 5, live)).toEqual([
    { title: "Otters & rivers", url: "https://otters.example.org/a", snippet: "Otters swim & dive." },
    { title: "Beavers", url: "https://beavers.example.org/", snippet: "Not otters." },
  ]);
  expect(await provider.search("otters", 1, live)).toHaveLength(1);
  expect(await provider.search("nothing", 5, live)).toEqual([]);
  expect(server.requests[0]?.headers).toMatchObject({ accept: "text/html" });
});

test("[TW9] a page that asks for a proof, or is none of results, is said to be so and gives no results", async () => {
  await using server = await openFakeDuckDuckGo({ pages });
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  const provider = createDuckDuckGoSearch({ fetch, baseUrl: server.origin });
  const failing = async (status: number, body: string): Promise<string> => {
    server.answerNext({ status, body });
    const failure: unknown = await provider.search("otters", 5, live).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "search_failed" });
    return (failure as Error).message;
  };
  const puzzle =
    '<body><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></body>';
  expect(await failing(200, puzzle)).toContain("takes Deputy for a machine");
  expect(await failing(202, puzzle)).toContain("takes Deputy for a machine");
  expect(await failing(200, "<h1>Hello</h1>")).toContain("not what it used to be");
  expect(await failing(503, "busy")).toContain("503");
});
