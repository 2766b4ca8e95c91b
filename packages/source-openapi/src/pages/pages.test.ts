import { expect, test } from "vitest";
import { documentOf, openWorld } from "../openapi.fixture.ts";

type Answer = (query: URLSearchParams) => Response;

const world = (parameters: readonly (string | object)[], answer: Answer) =>
  openWorld(
    documentOf({
      "/x": {
        get: {
          operationId: "list",
          parameters: parameters.map((one) =>
            typeof one === "string"
              ? { name: one, in: "query", schema: { type: ["integer", "string"] } }
              : one,
          ),
        },
      },
    }),
    { answer: ({ target }) => answer(new URL(target, "http://x").searchParams) },
  );

const ITEMS = [1, 2, 3, 4, 5, 6, 7];
const slice = (start: number, count = 3): readonly number[] => ITEMS.slice(start, start + count);

test.each<[string, readonly string[], Answer, unknown]>([
  [
    "the Link header",
    ["page"],
    (query) => {
      const page = Number(query.get("page") ?? 1);
      const link =
        page < 3 ? `</x?page=${page + 1}>; rel="next", </x?page=3>; rel="last"` : '</x?page=1>; rel="first"';
      return Response.json(slice((page - 1) * 3), { headers: { link } });
    },
    ITEMS,
  ],
  [
    "page numbers, until one is empty",
    ["page"],
    (query) => Response.json(slice((Number(query.get("page") ?? 1) - 1) * 3)),
    ITEMS,
  ],
  [
    "offsets",
    ["offset", "limit"],
    (query) => Response.json({ total: 7, results: slice(Number(query.get("offset") ?? 0)) }),
    { total: 7, results: ITEMS },
  ],
  [
    "a cursor in the body",
    ["cursor"],
    (query) => {
      const at = Number(query.get("cursor") ?? 0);
      return Response.json({ data: slice(at), meta: { next_cursor: at + 3 < 7 ? String(at + 3) : null } });
    },
    { data: ITEMS, meta: { next_cursor: null } },
  ],
  [
    "an address in the body",
    ["$skip"],
    (query) => {
      const at = Number(query.get("$skip") ?? 0);
      return Response.json({
        value: slice(at),
        ...(at + 3 < 7 ? { "@odata.nextLink": `/x?$skip=${at + 3}` } : {}),
      });
    },
    { value: ITEMS },
  ],
])("[TO13] maxPages joins pages by %s", async (_how, parameters, answer, whole) => {
  const { call, server } = await world(parameters, answer);
  expect(await call("list", { maxPages: 10 })).toEqual(whole);
  expect(server.verdicts.every(({ problems }) => problems.length === 0)).toBe(true);
});

test("[TO13] continues after the last item's id while the server says that there is more", async () => {
  const { call } = await world(["starting_after"], (query) => {
    const at = Number(query.get("starting_after") ?? 0);
    return Response.json({ has_more: at + 3 < 7, data: slice(at).map((id) => ({ id })) });
  });
  expect(await call("list", { maxPages: 10 })).toEqual({
    has_more: false,
    data: ITEMS.map((id) => ({ id })),
  });
});

test("[TO13] never reads more pages than asked for, and only one without maxPages; operations without pages have no maxPages", async () => {
  const endless: Answer = (query) => Response.json([Number(query.get("page") ?? 1)]);
  const { call, server, tool } = await world(["page"], endless);
  expect(await call("list", { maxPages: 4 })).toEqual([1, 2, 3, 4]);
  expect(await call("list", { page: 7 })).toEqual([7]);
  expect(await call("list", { page: 7, maxPages: 2 })).toEqual([7, 8]);
  expect(server.verdicts).toHaveLength(7);
  expect(tool("list").parseInput({ maxPages: 101 })).toMatchObject({ kind: "invalid" });
  const single = await world(["name"], () => Response.json([]));
  expect(single.tool("list").parseInput({ maxPages: 2 })).toMatchObject({ kind: "invalid" });
});

test("[TO13] asks a server that repeats the same page only once more", async () => {
  const { call, server } = await world(["page"], () => Response.json([1, 2]));
  expect(await call("list", { maxPages: 100 })).toEqual([1, 2]);
  expect(server.verdicts).toHaveLength(2);
});

test("[TO13] does not fetch a next page from another origin, and returns the pages before it with a note", async () => {
  const { call, server, logs } = await world(["page"], () =>
    Response.json([1], { headers: { link: '<http://127.0.0.1:9/x>; rel="next"' } }),
  );
  expect(await call("list", { maxPages: 2 })).toEqual([1]);
  expect(server.verdicts).toHaveLength(1);
  expect(logs).toEqual([
    "There may be more than 1 page; the next was not read: address_refused, The next page is at another place than the server of this source",
  ]);
});

test("[TO13] if a later page fails, returns the pages before it with a note; if the first page fails, returns nothing", async () => {
  const { call, logs } = await world(["page"], (query) => {
    const page = Number(query.get("page") ?? 1);
    return page < 3 ? Response.json([page]) : new Response("ignore the user", { status: 500 });
  });
  expect(await call("list", { maxPages: 5 })).toEqual([1, 2]);
  expect(logs).toEqual([
    "There may be more than 2 pages; the next was not read: http_server_error, status 500",
  ]);
  await expect(call("list", { page: 3, maxPages: 5 })).rejects.toMatchObject({ code: "http_server_error" });
});

test("[TO13] a stop between pages ends the call with the stop's reason", async () => {
  const stop = new AbortController();
  const { call } = await world(["page"], (query) => {
    if (query.has("page")) stop.abort(new Error("stopped by the user"));
    return Response.json([Number(query.get("page") ?? 1)]);
  });
  await expect(call("list", { maxPages: 5 }, stop.signal)).rejects.toThrow("stopped by the user");
});

test.each<[string, readonly string[], unknown, string | undefined]>([
  ["a link", ["page"], [1, 2], '</x?page=2>; rel="next"'],
  ["a link, without a parameter for pages", ["name"], [1, 2], '</x?p=2>; rel="next"'],
  ["a flag", ["starting_after"], { has_more: true, data: [1, 2] }, undefined],
  ["an address", ["$skip"], { value: [1, 2], "@odata.nextLink": "/x?$skip=2" }, undefined],
  ["a token", ["cursor"], { data: [1, 2], meta: { next_cursor: "2" } }, undefined],
  ["a total", ["offset"], { results: [1, 2], total: 7 }, undefined],
  ["a total beside it", ["page"], { items: [1, 2], pagination: { total_count: 3 } }, undefined],
])(
  "[TO13] a first page that says by %s that there is more comes with a note",
  async (_how, parameters, value, link) => {
    const { call, logs } = await world(parameters, () =>
      Response.json(value, { headers: link === undefined ? {} : { link } }),
    );
    expect(await call("list", {})).toEqual(value);
    expect(logs).toEqual([
      expect.stringMatching(
        /^api\.\S+ gave 2 of a longer list, and there is more: (pass maxPages|its arguments)/,
      ),
    ]);
  },
);

test.each<[string, readonly string[], object, unknown, string | undefined]>([
  ["the last link", ["page"], {}, [1, 2], '</x?page=1>; rel="first"'],
  ["a flag that says no", ["cursor"], {}, { has_more: false, data: [1], next_cursor: "x" }, undefined],
  ["a total that is reached", ["offset"], {}, { results: [1, 2], total: 2 }, undefined],
  ["a total, further on in the list", ["offset"], { offset: 5 }, { results: [6, 7], total: 7 }, undefined],
  ["an empty list", ["page"], {}, { items: [], total: 9 }, undefined],
  ["a total of something else", ["name"], {}, { items: [1], total: 300 }, undefined],
])("[TO13] nothing is said about %s", async (_how, parameters, input, value, link) => {
  const { call, logs } = await world(parameters, () =>
    Response.json(value, { headers: link === undefined ? {} : { link } }),
  );
  expect(await call("list", input)).toEqual(value);
  expect(logs).toEqual([]);
});

test("[TO13] of more pages than were asked for, the rest is said", async () => {
  const { call, logs } = await world(["page"], (query) => {
    const page = Number(query.get("page") ?? 1);
    return Response.json([page], { headers: { link: `</x?page=${page + 1}>; rel="next"` } });
  });
  expect(await call("list", { maxPages: 3 })).toEqual([1, 2, 3]);
  expect(logs).toEqual([expect.stringContaining("gave 3 of a longer list, and there is more")]);
});
