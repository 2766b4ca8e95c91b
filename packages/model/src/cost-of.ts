import { formatModelRef } from "./model-ref.ts";
import type { ModelRef, ModelUsage } from "./model.ts";
import { type Price, PRICES } from "./price-list.ts";

/** These run on the user's own machine. */
const FREE = new Set(["local", "rehearsal"]);

/**
 * What an answer cost, in whole micro-dollars; undefined if the model's price is not known. `overrides` by
 * `provider/model` go before the list.
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
