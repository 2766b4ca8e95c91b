import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { openFakeEmbeddings } from "@deputy/testing";
import { createCatalogue, defineTool } from "@deputy/tools";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { parseConfig } from "../config/parse-config.ts";
import { openHomeEmbedders } from "../embedders/home-embedders.ts";
import { openMeaning } from "./open-meaning.ts";

const never = new AbortController().signal;
const tool = (description: string) =>
  defineTool({ description, approval: "auto", args: z.object({}), run: () => null });
const sources = [
  { source: "test", tree: { vet: { list: tool("Veterinarians") }, port: { list: tool("Moorings") } } },
];
const owned: AsyncDisposable[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const each of owned.splice(0).toReversed()) await each[Symbol.asyncDispose]();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "deputy-meaning-"));
  folders.push(folder);
  return folder;
}

function setup(config: object, env: NodeJS.ProcessEnv = {}, directory = scratch()) {
  const warnings: string[] = [];
  const learnt: string[] = [];
  const home = { directory, config: parseConfig(config, "config.json").config };
  const clock = createSystemClock();
  const embedders = openHomeEmbedders({ home, env, clock, learn: (secret) => void learnt.push(secret) });
  owned.push(embedders);
  const embedder = embedders.named(home.config.tools.search.embeddingModel);
  const warn = (text: string): void => void warnings.push(text);
  const meaning =
    embedder &&
    openMeaning({ home: directory, embedder: async () => embedder, clock, patienceMs: 20_000, warn });
  if (meaning !== undefined) owned.push(meaning);
  const catalogue = createCatalogue(sources, [], undefined, meaning);
  const find = async (query: string) => (await catalogue.find(query, 1, never)).tools.map(({ path }) => path);
  return { meaning, warnings, learnt, find, catalogue };
}

test("searches tools by words only if the settings say so", async () => {
  const { meaning, find } = setup({ tools: { search: { embeddingModel: "none" } } });
  expect(meaning).toBeUndefined();
  expect(await find("puppy")).toEqual([]);
});

test("without a setting, the model that comes with Deputy finds tools by meaning", async () => {
  const { find, catalogue, warnings } = setup({});
  // On a busy machine, the first questions are not waited for.
  const soon = { timeout: 90_000 };
  await expect.poll(() => find("my puppy is ill"), soon).toEqual(["vet.list"]);
  await expect.poll(() => find("where can I tie up my boat"), soon).toEqual(["port.list"]);
  await expect.poll(() => catalogue.find("boat", 1, never), soon).toMatchObject({ by: "words and meaning" });
  expect(warnings).toEqual([]);
});

test("with one, uses the provider's address and key from the models; the home keeps the vectors", async () => {
  await using server = await openFakeEmbeddings("k-123456", (text) =>
    /vet|puppy/.test(text) ? [1, 0] : [0, 1],
  );
  const config = {
    providers: { local: { baseUrl: server.baseUrl, apiKey: "env:EMBED_KEY" } },
    tools: { search: { embeddingModel: "local/some-model" } },
  };
  const directory = scratch();
  const { find, learnt, warnings } = setup(config, { EMBED_KEY: "k-123456" }, directory);
  expect(await find("puppy")).toEqual(["vet.list"]);
  expect(learnt).toContain("k-123456");
  expect(warnings).toEqual([]);
  for (const each of owned.splice(0).toReversed()) await each[Symbol.asyncDispose]();
  const later = setup(config, { EMBED_KEY: "k-123456" }, directory);
  expect(await later.find("a puppy")).toEqual(["vet.list"]);
  expect(server.asked.map(({ length }) => length)).toEqual([2, 1, 1]);
});

test("reports once a provider without embeddings or a meaningless name, and keeps searching", async () => {
  for (const embeddingModel of ["anthropic/claude", "nonsense"]) {
    const { find, warnings } = setup({ tools: { search: { embeddingModel } } });
    expect(await find("moorings")).toEqual(["port.list"]);
    expect(await find("moorings")).toEqual(["port.list"]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Tools are searched by words alone: /);
  }
});
