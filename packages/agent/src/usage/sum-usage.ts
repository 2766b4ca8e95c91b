import type { TurnUsage } from "./read-usage.ts";

/** The usage of several turns together. */
export interface UsageSum {
  readonly turns: number;
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** By currency. Turns whose price is unknown are not included. */
  readonly cost: Readonly<Record<string, number>>;
  /** Turns that took tokens at a price that is not known. */
  readonly unpriced: number;
}

export const NO_USAGE: UsageSum = {
  turns: 0,
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  cost: {},
  unpriced: 0,
};

export function addUsage(sum: UsageSum, { usage, cost }: TurnUsage): UsageSum {
  return {
    turns: sum.turns + 1,
    modelCalls: sum.modelCalls + usage.modelCalls,
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: sum.cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    reasoningTokens: sum.reasoningTokens + (usage.reasoningTokens ?? 0),
    cost:
      cost === undefined
        ? sum.cost
        : { ...sum.cost, [cost.currency]: (sum.cost[cost.currency] ?? 0) + cost.amount },
    unpriced: sum.unpriced + (cost === undefined && usage.inputTokens + usage.outputTokens > 0 ? 1 : 0),
  };
}
