import { AgentError } from "./agent-error.ts";
import type { CompactionLimits } from "./compaction/compaction-limits.ts";
import type { TurnState } from "./turn-state.ts";

/** Hard stops of a turn. A budget that is absent is not watched. */
export interface TurnLimits {
  readonly modelCalls: number;
  readonly typecheckAttempts: number;
  /** Of one answer. */
  readonly outputTokens: number;
  readonly budget?: TurnBudget;
  /** Absent: `DEFAULT_COMPACTION_LIMITS`. */
  readonly compaction?: CompactionLimits;
}

export interface TurnBudget {
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** In millionths of the currency of `cost`. */
  readonly costMicros?: number | undefined;
  /** Tool calls. */
  readonly calls?: number | undefined;
  readonly timeMs?: number | undefined;
}

export const DEFAULT_TURN_LIMITS: TurnLimits = { modelCalls: 20, typecheckAttempts: 3, outputTokens: 8_192 };

/** Throws when the turn must not ask the model again. */
export function assertWithinLimits(
  limits: TurnLimits,
  state: TurnState,
  now: { readonly ms: number; readonly costMicros: number | undefined },
): void {
  if (state.rejected >= limits.typecheckAttempts) {
    throw new AgentError(
      "typecheck_failed",
      `The program still did not typecheck after ${state.rejected} attempts; nothing ran.`,
    );
  }
  if (state.usage.modelCalls >= limits.modelCalls) {
    throw new AgentError("turn_limit", `The turn was stopped after ${limits.modelCalls} calls to the model.`);
  }
  const spent = spentBudget(limits.budget ?? {}, state, now);
  if (spent === undefined) return;
  throw new AgentError("budget_spent", `The turn was stopped: its budget of ${spent} is spent.`, {
    hint: "What it did until then stays done. Raise the budget, or ask for less.",
  });
}

function spentBudget(
  budget: TurnBudget,
  { usage, calls, startedAtMs }: TurnState,
  now: { readonly ms: number; readonly costMicros: number | undefined },
): string | undefined {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (budget.tokens !== undefined && tokens >= budget.tokens) return `${budget.tokens} tokens`;
  if (budget.calls !== undefined && calls >= budget.calls) return `${budget.calls} calls`;
  if (budget.costMicros !== undefined && (now.costMicros ?? 0) >= budget.costMicros)
    return `${budget.costMicros / 1e6} in money`;
  if (budget.timeMs !== undefined && startedAtMs !== undefined && now.ms - startedAtMs >= budget.timeMs)
    return `${Math.round(budget.timeMs / 1_000)} seconds`;
  return undefined;
}
