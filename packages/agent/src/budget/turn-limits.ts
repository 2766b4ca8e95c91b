import { AgentError } from "../agent-error.ts";
import type { CompactionLimits } from "../compaction/compaction-limits.ts";
import { NOT_RUN } from "../cell/draft-cell.ts";
import type { TurnState } from "../turn/turn-state.ts";

/** Hard stops of a turn. A budget that is absent is not watched. */
export interface TurnLimits {
  readonly modelCalls: number;
  readonly typecheckAttempts: number;
  /** How often in a row the model may have the same done with the same outcome. Absent: `MOST_REPEATS`. */
  readonly repeats?: number;
  /** The limit for one answer. */
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
  /** At work; waiting for the user does not count. */
  readonly timeMs?: number | undefined;
}

/** A rejected program may be corrected three times. */
export const DEFAULT_TURN_LIMITS: TurnLimits = { modelCalls: 20, typecheckAttempts: 4, outputTokens: 8_192 };

/** A program can wait for something by itself. A model that asks for the same again and again is stuck. */
const MOST_REPEATS = 5;

/** Throws when the turn must not ask the model again. */
export function assertWithinLimits(
  limits: TurnLimits,
  state: TurnState,
  costMicros: number | undefined,
): void {
  if (state.rejected >= limits.typecheckAttempts) {
    if (state.ended?.kind === "rejected" && state.ended.diagnostics.some(({ code }) => code === NOT_RUN))
      throw new AgentError(
        "model_misbehaved",
        `The model asked for what cannot be done, ${state.rejected} times in a row; nothing of it ran.`,
      );
    throw new AgentError(
      "typecheck_failed",
      `The program still did not typecheck after ${state.rejected} attempts; nothing ran.`,
    );
  }
  if (state.usage.modelCalls >= limits.modelCalls) {
    throw new AgentError("turn_limit", `The turn was stopped after ${limits.modelCalls} calls to the model.`);
  }
  if (state.repeats >= (limits.repeats ?? MOST_REPEATS)) {
    throw new AgentError(
      "model_misbehaved",
      `The turn was stopped: the model did the same thing ${state.repeats} times in a row, and the same came of it.`,
    );
  }
  const spent = spentBudget(limits.budget ?? {}, state, costMicros);
  if (spent === undefined) return;
  throw new AgentError("budget_spent", `The turn was stopped: its budget of ${spent} is spent.`, {
    hint: "What it did until then stays done. Raise the budget, or ask for less.",
  });
}

/** An agent's limits together with a further budget: the smaller value of each counts. */
export function withBudget(limits: TurnLimits, budget: TurnBudget | undefined): TurnLimits {
  if (budget === undefined) return limits;
  const of = limits.budget ?? {};
  return {
    ...limits,
    budget: {
      tokens: smaller(of.tokens, budget.tokens),
      costMicros: smaller(of.costMicros, budget.costMicros),
      calls: smaller(of.calls, budget.calls),
      timeMs: smaller(of.timeMs, budget.timeMs),
    },
  };
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** The limit for the next answer: at most what is left of the budget. */
export function outputTokensLeft({ outputTokens, budget }: TurnLimits, { usage }: TurnState): number {
  if (budget?.tokens === undefined) return outputTokens;
  const left = budget.tokens - usage.inputTokens - usage.outputTokens;
  return Math.max(1, Math.min(outputTokens, left));
}

function spentBudget(
  budget: TurnBudget,
  { usage, calls }: TurnState,
  costMicros: number | undefined,
): string | undefined {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (budget.tokens !== undefined && tokens >= budget.tokens) return `${budget.tokens} tokens`;
  if (budget.calls !== undefined && calls >= budget.calls) return `${budget.calls} calls`;
  if (budget.costMicros !== undefined && (costMicros ?? 0) >= budget.costMicros)
    return `$${budget.costMicros / 1e6}`;
  return undefined;
}
