import { createFakeClock, openFakeEmbeddings } from "@deputy/testing";
import { createCatalogue, defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { parseConfig } from "../config/parse-config.ts";
import { openMeaning } from "./open-meaning.ts";

const never = new AbortController().signal;
const tool = (description: string) =>
  defineTool({ description, approval: "auto", args: z.object({}), run: () => null });
const sources = [
  { source: "test", tree: { vet: { list: tool("Veterinarians") }, port: { list: tool("Moorings") } } },
];

function setup(config: object, env: NodeJS.ProcessEnv = {}) {
  const warnings: string[] = [];
  const learnt: string[] = [];
  const home = { directory: "/nowhere", config: parseConfig(config, "config.json").config };
  const meaning = openMeaning(home, env, {
    clock: createFakeClock(),
    warn: (text) => void warnings.push(text),
    learn: (secret) => void learnt.push(secret),
  });
  const catalogue = createCatalogue(sources, [], undefined, meaning);
  const find = async (query: string) => (await catalogue.find(query, 1, never)).map(({ path }) => path);
  return { meaning, warnings, learnt, find };
}

test("searches tools by words only without a model for it", async () => {
  const { meaning, find } = setup({});
  expect(meaning).toBeUndefined();
  expect(await find("puppy")).toEqual([]);
});

test("with one, uses the provider's address and key from the models", async () => {
  await using server = await openFakeEmbeddings("k-123456", (text) =>
    /vet|puppy/.test(text) ? [1, 0] : [0, 1],
  );
  const { find, learnt, warnings } = setup(
    {
      providers: { local: { baseUrl: server.baseUrl, apiKey: "env:EMBED_KEY" } },
      tools: { search: { embeddingModel: "local/nomic-embed-text" } },
    },
    { EMBED_KEY: "k-123456" },
  );
  expect(await find("puppy")).toEqual(["vet.list"]);
  expect(learnt).toContain("k-123456");
  expect(warnings).toEqual([]);
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
