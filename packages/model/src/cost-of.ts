import { formatModelRef, parseModelRef } from "./model-ref.ts";
import type { ModelRef, ModelUsage } from "./model.ts";

/** These run on the user's own machine. */
const FREE = new Set(["local", "rehearsal"]);

/**
 * The cost of an answer in whole micro-dollars; undefined if the model's price is unknown. `overrides`, by
 * `provider/model`, take precedence over the list.
 */
export function costOf(
  usage: ModelUsage,
  ref: ModelRef,
  overrides: Readonly<Record<string, Price>> = {},
): number | undefined {
  const price = findPrice(ref, overrides) ?? findPrice(ref, PRICES);
  if (price === undefined) return FREE.has(ref.provider) ? 0 : undefined;
  const { inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWriteTokens: write = 0 } = usage;
  const fresh = Math.max(0, inputTokens - read - write);
  const prompt = fresh * price.input + read * price.cacheRead + write * price.cacheWrite;
  const isLong = price.long !== undefined && inputTokens > price.long.above;
  const [dearerIn, dearerOut] = isLong ? [price.long?.input ?? 1, price.long?.output ?? 1] : [1, 1];
  return Math.round(prompt * dearerIn + outputTokens * price.output * dearerOut);
}

/** A dated name (`…-20251001`, `…-2026-04-23`) has the price of the model it is a version of. */
function findPrice(ref: ModelRef, prices: Readonly<Record<string, Price>>): Price | undefined {
  const name = formatModelRef(ref);
  const undated = name.replace(/-\d{4}-?\d{2}-?\d{2}$/, "");
  return [name, undated].map((key) => (Object.hasOwn(prices, key) ? prices[key] : undefined)).find(Boolean);
}

/** US dollars for a million tokens, which is micro-dollars for one. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** A prompt with more tokens than `above` multiplies the cost of the whole request by these factors. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

/** When the list was last compared with the providers' pages. Newer models are unknown to it. */
export const PRICES_AS_OF = "2026-11-15";

const LONG_GPT = { above: 272_000, input: 2, output: 1.5 };
const LONG_HAIKU = { above: 100_000, input: 5, output: 5 };
const OPUS: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const SONNET_4: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const SONNET_5: Price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };

/** Standard processing, short-lived cache entries. By `provider/model`, without a model's date. */
export const PRICES: Readonly<Record<string, Price>> = {
  "anthropic/claude-fable-5-1": { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  "anthropic/claude-fable-5": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  "anthropic/claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  "anthropic/claude-opus-5": OPUS,
  "anthropic/claude-opus-4-8": OPUS,
  "anthropic/claude-opus-4-7": OPUS,
  "anthropic/claude-opus-4-6": OPUS,
  "anthropic/claude-opus-4-5": OPUS,
  "anthropic/claude-sonnet-5-5": SONNET_5,
  "anthropic/claude-sonnet-5": SONNET_5,
  "anthropic/claude-sonnet-4-6": SONNET_4,
  "anthropic/claude-sonnet-4-5": SONNET_4,
  "anthropic/claude-haiku-5-5": {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    long: LONG_HAIKU,
  },
  "anthropic/claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "openai/gpt-6-astra": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, long: LONG_GPT },
  "openai/gpt-6.1-sol": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5, long: LONG_GPT },
  "openai/gpt-6-sol": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, long: LONG_GPT },
  "openai/gpt-6.1-terra": { input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25, long: LONG_GPT },
  "openai/gpt-6-luna": { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, long: LONG_GPT },
  "openai/gpt-5.5": { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 5 },
  "openai/gpt-5.4": { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 2.5 },
  "openai/gpt-5.4-mini": { input: 0.75, output: 4.5, cacheRead: 0.075, cacheWrite: 0.75 },
  "openai/gpt-5.4-nano": { input: 0.2, output: 1.25, cacheRead: 0.02, cacheWrite: 0.2 },
};

/**
 * The total cost of a model's answers, in millionths of a dollar; undefined when the price of any of them is unknown.
 * `model` is who answered, if it was another one than the one that was asked.
 */
export function costOfSpent(
  spent: readonly (ModelUsage & { readonly model?: string | undefined })[],
  asked: ModelRef,
  prices: Readonly<Record<string, Price>> | undefined,
): number | undefined {
  return spent.reduce<number | undefined>((sum, { model, ...usage }) => {
    const cost = costOf(usage, model === undefined ? asked : parseModelRef(model), prices);
    return sum === undefined || cost === undefined ? undefined : sum + cost;
  }, 0);
}
