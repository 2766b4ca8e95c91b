import { createIdSource } from "@deputy/kit";
import { createValueRedactor } from "@deputy/secrets";
import { readEvent } from "@deputy/protocol";
import {
  createFakeClock,
  createMemoryEventLog,
  openFakeBrave,
  openFakeDuckDuckGo,
  openFakeSearxng,
} from "@deputy/testing";
import { createCatalogue } from "@deputy/tools";
import { expect, test } from "vitest";
import { createNetAudit } from "../net-audit.ts";
import { configSchema } from "../config.ts";
import { openBuiltins } from "./open-builtins.ts";

const live = new AbortController().signal;
const pages = [{ title: "Otters", url: "https://otters.example.org/", text: "They swim." }];

/** Deputy's own tools with these settings, over a log in memory. */
async function setup(tools: object, env: NodeJS.ProcessEnv = {}) {
  const clock = createFakeClock();
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock }) });
  const learned: string[] = [];
  const audit = createNetAudit({ log, redactor: createValueRedactor([]), warn: () => undefined });
  const home = { directory: "/nowhere", config: configSchema.parse({ tools }) };
  const net = { audit: audit.note, learnSecret: (value: string) => void learned.push(value) };
  const catalogue = createCatalogue([await openBuiltins(home, env, net)]);
  const call = async (path: string, raw: unknown): Promise<unknown> => {
    const tool = catalogue.get(path);
    const parsed = await tool?.parseInput(raw);
    if (tool === undefined || parsed?.kind !== "ok") throw new Error(`${path} cannot be called so`);
    const context = { signal: live, idempotencyKey: "k", sessionKey: "s", approvedBy: "terms" } as const;
    return await tool.run(parsed.input, { ...context, progress: () => {}, log: () => {} });
  };
  /** What the log has once everything is written. */
  const requests = async (): Promise<unknown[]> => {
    await audit[Symbol.asyncDispose]();
    const found: unknown[] = [];
    for await (const stored of log.read("system")) {
      const read = readEvent(stored);
      if (read.kind === "known" && read.event.type === "net.request") found.push(read.event.data);
    }
    return found;
  };
  return { catalogue, call, requests, learned };
}

test("[E395] web.fetch reads the origins in the settings, and every request is in the log", async () => {
  await using server = await openFakeSearxng({ formats: ["html", "json"], pages });
  const { call, requests } = await setup({ webFetch: { origins: [server.origin] } });
  const page = await call("web.fetch", { url: `${server.origin}/search?q=otters&format=json` });
  expect(page).toMatchObject({ status: 200, contentType: "application/json" });
  await expect(call("web.fetch", { url: "http://127.0.0.1:1/secret-path" })).rejects.toMatchObject({
    code: "address_refused",
  });
  const audited = await requests();
  expect(audited).toMatchObject([
    { method: "GET", host: new URL(server.origin).host, status: 200, verdict: "allow" },
    { method: "GET", host: "127.0.0.1:1", verdict: "deny" },
  ]);
  expect(JSON.stringify(audited)).not.toMatch(/otters|secret-path/);
});

test("[E398] web.search asks the provider in the settings, which may be the user's own server", async () => {
  await using searxng = await openFakeSearxng({ formats: ["json"], pages });
  const own = await setup({ webSearch: { provider: "searxng", baseUrl: searxng.origin } });
  expect(await own.call("web.search", { query: "otters" })).toMatchObject([{ title: "Otters" }]);

  await using brave = await openFakeBrave({ key: "brave-key-1", pages });
  const webSearch = { provider: "brave", baseUrl: brave.origin, apiKey: "env:BRAVE" };
  const { call, learned, requests } = await setup({ webSearch }, { BRAVE: "brave-key-1" });
  expect(await call("web.search", { query: "otters" })).toMatchObject([{ title: "Otters" }]);
  expect(learned).toEqual(["brave-key-1"]);
  expect(JSON.stringify(await requests())).not.toContain("brave-key-1");
  const missing = await setup({ webSearch }, {});
  await expect(missing.call("web.search", { query: "otters" })).rejects.toMatchObject({
    code: "secret_unavailable",
  });
});

test("[E398] DuckDuckGo needs no key; its requests are in the log like all others", async () => {
  await using server = await openFakeDuckDuckGo({ pages });
  const { call, requests } = await setup({ webSearch: { provider: "duckduckgo", baseUrl: server.origin } });
  expect(await call("web.search", { query: "otters" })).toMatchObject([{ title: "Otters" }]);
  expect(await requests()).toMatchObject([{ host: new URL(server.origin).host, verdict: "allow" }]);
});

test("[E398] without a provider a call says how to set one; unusable settings are refused", async () => {
  const { call } = await setup({});
  await expect(call("web.search", { query: "otters" })).rejects.toMatchObject({
    code: "search_failed",
    hint: expect.stringContaining("deputy config set tools.webSearch.provider duckduckgo"),
  });
  for (const tools of [
    { webSearch: { provider: "brave" } },
    { webSearch: { provider: "searxng" } },
    { webSearch: { provider: "brave", apiKey: "the-key-itself" } },
    { webFetch: { origins: ["192.168.1.5"] } },
    { webFetch: { origins: ["http://192.168.1.5/path"] } },
  ])
    expect(configSchema.safeParse({ tools }).success).toBe(false);
});
