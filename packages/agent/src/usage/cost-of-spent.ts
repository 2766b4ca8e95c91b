import { costOf, type ModelRef, type Price } from "@deputy/model";
import type { Usage } from "@deputy/protocol";

/**
 * The total cost of a model's answers, in millionths of a dollar; undefined when the price of any of them is unknown.
 */
export function costOfSpent(
  spent: readonly Usage[],
  model: ModelRef,
  prices: Readonly<Record<string, Price>> | undefined,
): number | undefined {
  return spent.reduce<number | undefined>((sum, usage) => {
    const cost = costOf(usage, model, prices);
    return sum === undefined || cost === undefined ? undefined : sum + cost;
  }, 0);
}
