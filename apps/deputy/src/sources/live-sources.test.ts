import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { createCatalogue } from "@deputy/tools";
import { pinServer } from "@deputy/source-mcp";
import { afterEach, expect, test } from "vitest";
import { openHome } from "../home.ts";
import { NOTHING_IS_CALLED } from "../load-catalogue.ts";
import { openLiveSources } from "./live-sources.ts";
import { openMcpServer } from "./mcp-server.ts";
import { sha256 } from "./spec-place.ts";

const homes: string[] = [];
afterEach(() => homes.splice(0).forEach((home) => rmSync(home, { recursive: true })));

const plugin = (name: string, says: string): string => `
  import { defineTool } from "@deputy/tools";
  import { z } from "zod";
  const tool = defineTool({ description: ${JSON.stringify(says)}, approval: "auto", args: z.object({}), run: () => 1 });
  export default { ${name}: { tool } };
`;

/** `later`: written after the home was opened, but before anything has asked for tools. */
async function setup(files: Readonly<Record<string, string>>, later: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), "deputy-live-"));
  homes.push(home);
  mkdirSync(join(home, "plugins"));
  const write = (name: string, text: string): void => writeFileSync(join(home, name), text);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, ".."), { recursive: true });
    write(name, text);
  }
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const { signal } = new AbortController();
  const source = { home, env: {}, signal, ...NOTHING_IS_CALLED, warn };
  const opened = openHome(home, warn);
  for (const [name, text] of Object.entries(later)) write(name, text);
  const live = await openLiveSources({ home: opened, plugins: [], source });
  const tools = async (): Promise<readonly string[]> =>
    createCatalogue(await live.current())
      .list()
      .map(({ path, description }) => `${path}: ${description}`);
  return { home, write, warnings, live, tools };
}

test("has the plugins of the settings and the plugins folder, and the same list while nothing changes", async () => {
  const { live, tools } = await setup({
    "config.json": JSON.stringify({ toolSources: ["./mine.ts"] }),
    "mine.ts": plugin("mine", "first"),
    "plugins/found.ts": plugin("found", "found"),
    "plugins/_not.ts": "throw new Error()",
    "plugins/types.d.ts": "nonsense(",
  });
  expect(await tools()).toEqual(["found.tool: found", "mine.tool: first"]);
  expect(await live.current()).toBe(await live.current());
});

test("a changed, added or removed plugin counts from the next look on", async () => {
  const { home, write, tools } = await setup({ "plugins/a.ts": plugin("a", "first") });
  write("plugins/a.ts", plugin("a", "the second"));
  expect(await tools()).toEqual(["a.tool: the second"]);
  write("plugins/b.ts", plugin("b", "new"));
  expect(await tools()).toEqual(["a.tool: the second", "b.tool: new"]);
  rmSync(join(home, "plugins/a.ts"));
  expect(await tools()).toEqual(["b.tool: new"]);
});

test("keeps the last working version of a broken plugin, and reports it once", async () => {
  const { write, tools, warnings } = await setup({ "plugins/a.ts": plugin("a", "first") });
  write("plugins/a.ts", "throw new Error('broken')");
  expect(await tools()).toEqual(["a.tool: first"]);
  expect(await tools()).toEqual(["a.tool: first"]);
  expect(warnings.filter((text) => text.includes("what was loaded before stays"))).toHaveLength(1);
  write("plugins/a.ts", "export default { a: { 'no name': 1 } };");
  expect(await tools()).toEqual(["a.tool: first"]);
  write("plugins/a.ts", plugin("a", "mended"));
  expect(await tools()).toEqual(["a.tool: mended"]);
});

test("changed settings count, and invalid ones do not", async () => {
  const { write, tools } = await setup({ "config.json": "{}", "mine.ts": plugin("mine", "first") });
  expect(await tools()).toEqual([]);
  write("config.json", JSON.stringify({ toolSources: ["./mine.ts"] }));
  expect(await tools()).toEqual(["mine.tool: first"]);
  write("config.json", "{ nonsense");
  expect(await tools()).toEqual(["mine.tool: first"]);
  write("config.json", JSON.stringify({ toolSources: [] }));
  expect(await tools()).toEqual([]);
});

test("settings changed since the home was opened count at the first look", async () => {
  const { tools } = await setup(
    { "config.json": "{}", "mine.ts": plugin("mine", "first") },
    { "config.json": JSON.stringify({ toolSources: ["./mine.ts"] }) },
  );
  expect(await tools()).toEqual(["mine.tool: first"]);
});

test("an approved MCP server counts from the next look on, wherever the settings name it", async () => {
  const listing = (...names: readonly string[]) => ({
    server: { name: "shop", version: "1" },
    offers: { resources: false, prompts: false },
    definitions: names.map((name) => ({ name, description: name, inputSchema: { type: "object" } as const })),
    refused: [],
  });
  const settings = { type: "mcp", command: "nothing" } as const;
  const { home, tools, live, warnings } = await setup({
    "config.json": JSON.stringify({
      toolSources: [{ ...settings, name: "one" }],
      mcpServers: { two: { command: "nothing" }, files: { command: "nothing" } },
    }),
  });
  const approve = (name: string, ...names: readonly string[]): void => {
    const none = (): void => undefined;
    const deps = { home, env: {}, audit: none, learnSecret: none };
    const { store, target } = openMcpServer({ ...settings, name }, deps);
    pinServer({ store, sha256, clock: createSystemClock() }, target, listing(...names));
  };
  expect(await tools()).toEqual([]);
  approve("one", "get_it");
  approve("two", "get_that");
  approve("files", "read");
  expect(await tools()).toEqual(["one.get_it: get_it", "two.get_that: get_that"]);
  expect(await live.current()).toBe(await live.current());
  approve("two", "get_that", "get_more");
  expect(await tools()).toEqual(["one.get_it: get_it", "two.get_more: get_more", "two.get_that: get_that"]);
  expect(warnings.filter((text) => text.includes("tools.files are Deputy's own"))).toHaveLength(1);
});

test("at the start, a broken plugin of the settings is an error, and one of the folder is left out", async () => {
  await expect(
    setup({ "config.json": JSON.stringify({ toolSources: ["./none.ts"] }) }),
  ).rejects.toMatchObject({ code: "plugin_not_found" });
  const { tools, warnings } = await setup({ "plugins/a.ts": "throw new Error('broken')" });
  expect(await tools()).toEqual([]);
  expect(warnings.join()).toContain("it is left out");
});

test("a package installed in the home is a plugin by its name", async () => {
  const description = { name: "@me/tools", type: "module", exports: { import: "./main.js" } };
  const { home, write, tools } = await setup({
    "node_modules/@me/tools/package.json": JSON.stringify(description),
    "node_modules/@me/tools/main.js": plugin("pack", "packed"),
  });
  // Installed packages have their own zod.
  symlinkSync(
    dirname(createRequire(import.meta.url).resolve("zod/package.json")),
    join(home, "node_modules/zod"),
  );
  write("config.json", JSON.stringify({ toolSources: ["@me/tools"] }));
  expect(await tools()).toEqual(["pack.tool: packed"]);
});
