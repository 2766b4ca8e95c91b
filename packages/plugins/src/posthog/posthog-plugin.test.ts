import { openFakePostHog } from "@deputy/testing";
import { createCatalogue } from "@deputy/tools";
import { expect, test } from "vitest";
import { createPostHogPlugin } from "./create-posthog-plugin.ts";

const KEY = "phx_0123456789abcdefghijklmnop";
const live = new AbortController().signal;
const visit = (person: string, at: string, more: object = {}) => ({
  event: "$pageview",
  person,
  host: "example.org",
  at,
  ...more,
});

async function setup(options: { key?: string; token?: () => string } = {}) {
  const posthog = await openFakePostHog({
    key: KEY,
    visits: [
      visit("ada", "2026-03-01T08:00:00Z"),
      visit("ada", "2026-03-02T08:00:00Z"),
      visit("bob", "2026-03-02T09:00:00Z"),
      visit("eve", "2026-03-02T10:00:00Z", { host: "docs.example.org" }),
      visit("bob", "2026-03-02T11:00:00Z", { event: "subscribed" }),
    ],
  });
  const { key = KEY, token } = options;
  const tree = createPostHogPlugin({ baseUrl: `${posthog.origin}/`, token });
  const catalogue = createCatalogue([{ source: "posthog", tree }]);
  const call = async (path: string, input: object) => {
    const tool = catalogue.get(path);
    const parsed = await tool?.parseInput(input);
    if (tool === undefined || parsed === undefined) throw new Error(`There is no ${path}`);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    return await tool.run(parsed.input, {
      signal: live,
      idempotencyKey: "k",
      sessionKey: "s",
      approvedBy: "user",
      progress: () => undefined,
      log: () => undefined,
      credential: async () => key,
    });
  };
  return { posthog, catalogue, call, [Symbol.asyncDispose]: () => posthog[Symbol.asyncDispose]() };
}

test("[PG3] counts visitors and events, for a time and a host, of the current project or another", async () => {
  await using world = await setup();
  const { call } = world;
  expect(await call("posthog.visitors", {})).toEqual({ count: 3 });
  expect(await call("posthog.visitors", { host: "example.org", project: 17 })).toEqual({ count: 2 });
  expect(await call("posthog.visitors", { since: "2026-03-02T10:00:00+01:00" })).toEqual({ count: 2 });
  expect(await call("posthog.visitors", { until: "2026-03-02" })).toEqual({ count: 1 });
  expect(await call("posthog.events.count", { event: "subscribed" })).toEqual({ count: 1 });
  expect(await call("posthog.events.names", {})).toEqual([
    { event: "$pageview", count: 4 },
    { event: "subscribed", count: 1 },
  ]);
  expect(await call("posthog.projects", {})).toEqual([{ id: 17, name: "My site" }]);
  expect(await call("posthog.query", { query: "select 1", limit: 2 })).toEqual({
    columns: ["column_0"],
    rows: [[1], [1]],
    hasMore: true,
  });
});

test("[PG3] what the caller gives is a value, never a part of the query", async () => {
  await using world = await setup();
  const event = "x' or 1 = 1 --";
  expect(await world.call("posthog.events.count", { event })).toEqual({ count: 0 });
  const body = world.posthog.calls[0]?.body as { query: { query: string; values: object } };
  expect(body.query.query).not.toContain("1 = 1");
  expect(body.query.values).toEqual({ event });
  await expect(world.call("posthog.visitors", { host: "a.org' or 1" })).rejects.toThrow("host");
  await expect(world.call("posthog.visitors", { project: "../users" })).rejects.toThrow("project");
  await expect(world.call("posthog.query", { query: "drop table events" })).rejects.toThrow("select");
});

test("[PG3] nothing writes or asks, counts are vouched for, and what is refused says why", async () => {
  await using world = await setup();
  for (const { approval, effect, credentials } of world.catalogue.list())
    expect({ approval, effect, credentials: Object.keys(credentials ?? {}) }).toEqual({
      approval: "auto",
      effect: "read",
      credentials: ["posthog"],
    });
  expect(world.catalogue.get("posthog.visitors")?.trust).toEqual({ values: ["count"] });
  expect(world.catalogue.get("posthog.query")?.trust).toBe("untrusted");
  await expect(world.call("posthog.query", { query: "select {x}" })).rejects.toMatchObject({
    code: "http_bad_request",
    message: "PostHog refused it (400): Unresolved placeholder: {x}",
  });
  await using other = await setup({ key: "phx_wrong" });
  await expect(other.call("posthog.visitors", {})).rejects.toMatchObject({ code: "http_unauthorized" });
  world.posthog.answerNext({ status: 200, body: { results: "none" } });
  await expect(world.call("posthog.visitors", {})).rejects.toMatchObject({ code: "response_invalid" });
});

test("[PG4] with a token of its own, the tools declare no credential", async () => {
  await using world = await setup({ key: "unused", token: () => KEY });
  expect(world.catalogue.get("posthog.visitors")?.credentials).toBeUndefined();
  expect(await world.call("posthog.visitors", {})).toEqual({ count: 3 });
});
