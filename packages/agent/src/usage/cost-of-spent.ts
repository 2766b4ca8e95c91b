import { costOf, type ModelRef, type Price } from "@deputy/model";
import type { Usage } from "@deputy/protocol";

/** What a model's answers cost in all, in millionths of a dollar; undefined when the price of any of them is not known. */
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
