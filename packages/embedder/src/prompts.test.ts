import { expect, test } from "vitest";
import { promptsOf } from "./prompts.ts";

test.each([
  ["local/embeddinggemma-300M-Q8_0.gguf", "task: search result | query: who?", "title: none | text: Ivo"],
  ["local/embeddinggemma", "task: search result | query: who?", "title: none | text: Ivo"],
  ["local/nomic-embed-text", "search_query: who?", "search_document: Ivo"],
  ["local/intfloat/multilingual-e5-small", "query: who?", "passage: Ivo"],
  ["local/mxbai-embed-large", "Represent this sentence for searching relevant passages: who?", "Ivo"],
])("[EM6] marks what %s is asked and told", (model, question, text) => {
  const prompts = promptsOf(model);
  expect([prompts?.question("who?"), prompts?.text("Ivo")]).toEqual([question, text]);
});

test("[EM6] other models get texts as they are", () => {
  expect(promptsOf("openai/text-embedding-3-small")).toBeUndefined();
  expect(promptsOf("local/gemma-3-4b")).toBeUndefined();
});
