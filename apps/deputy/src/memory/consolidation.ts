import type { CreateTask } from "@deputy/protocol";

/** The prompt of a task that condenses notes. It can only propose: each change is asked about, with its diff. */
const PROMPT = `Condense the notes.
1. Find with memory.search what was noted and decided lately, in several questions: people, plans, preferences, places, work.
2. For whatever should be known in every conversation and is not in MEMORY.md yet, propose one short line with memory.propose({ file: "MEMORY.md", text: "- …" }). Ten lines at most.
3. Where a newer fact contradicts an older one that was noted, note it with memory.remember({ text, supersedes }).
Replace nothing that the user wrote. Propose nothing that is there already. If nothing is worth keeping, say so and end.`;

/** The limits of one run, unless the user sets others. */
export const CONSOLIDATION_BUDGET = { tokens: 40_000, calls: 30 } as const;

/** A task that condenses notes on a schedule. It stops when its budget is spent; what was agreed to stays. */
export function consolidationTask(given: {
  readonly schedule?: string;
  readonly agent?: string;
  readonly tokens?: number;
  /** Dollars; needs a model whose price is known. */
  readonly money?: number;
  readonly calls?: number;
}): CreateTask {
  const { schedule, agent, money } = given;
  const { tokens = CONSOLIDATION_BUDGET.tokens, calls = CONSOLIDATION_BUDGET.calls } = given;
  return {
    prompt: PROMPT,
    budget: { tokens, calls, ...(money === undefined ? {} : { money }) },
    ...(schedule === undefined ? {} : { schedule }),
    ...(agent === undefined ? {} : { agentId: agent }),
  };
}
