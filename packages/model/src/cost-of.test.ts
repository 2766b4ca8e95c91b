import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costOf } from "./cost-of.ts";
import { parseModelRef } from "./model-ref.ts";
import { PRICES, PRICES_AS_OF } from "./cost-of.ts";

const usage = { inputTokens: 10_000, outputTokens: 1_000, cacheReadTokens: 8_000, cacheWriteTokens: 1_000 };

test.each([
  // 1,000 fresh at $2, 8,000 read at $0.20, 1,000 written at $2.50, 1,000 out at $10 a million
  ["anthropic/claude-sonnet-5", 2_000 + 1_600 + 2_500 + 10_000],
  ["anthropic/claude-haiku-4-5-20251001", 1_000 + 800 + 1_250 + 5_000],
  ["openai/gpt-5.5-2026-04-23", 5_000 + 4_000 + 5_000 + 30_000],
  ["local/qwen3:8b", 0],
  ["rehearsal/tour", 0],
  ["openai/gpt-of-tomorrow", undefined],
  ["anthropic/constructor", undefined],
])("[W22] %s costs %s micro-dollars", (name, cost) => {
  expect(costOf(usage, parseModelRef(name))).toBe(cost);
});

test("[W22] a long prompt costs more if the provider says so", () => {
  const ref = parseModelRef("openai/gpt-6-sol");
  const at = (inputTokens: number): number | undefined => costOf({ inputTokens, outputTokens: 1_000 }, ref);
  expect(at(272_000)).toBe(272_000 * 2 + 10_000);
  expect(at(272_001)).toBe(272_001 * 4 + 15_000);
});

test("[W22] the user's own price overrides the list, and covers unknown models", () => {
  const price = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const overrides = { "anthropic/claude-sonnet-5": price, "local/rented": price };
  expect(costOf(usage, parseModelRef("anthropic/claude-sonnet-5"), overrides)).toBe(2_000);
  expect(costOf(usage, parseModelRef("local/rented"), overrides)).toBe(2_000);
});

test("[W22] the list is dated and plausible", () => {
  expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const [name, { input, output, cacheRead, cacheWrite }] of Object.entries(PRICES)) {
    expect(parseModelRef(name).provider).toMatch(/^(?:anthropic|openai)$/);
    expect(cacheRead).toBeLessThan(input);
    expect(input).toBeLessThanOrEqual(cacheWrite);
    expect(input).toBeLessThan(output);
  }
});

test("[W22] every model in the manual has a price", () => {
  const manual = readFileSync(new URL("../../../docs/models.md", import.meta.url), "utf8");
  const named = [...manual.matchAll(/(?:DEPUTY_MODEL=|--model )((?:anthropic|openai)\/\S+)/g)].map(
    ([, name]) => name ?? "",
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => costOf(usage, parseModelRef(name)) === undefined)).toEqual([]);
});
