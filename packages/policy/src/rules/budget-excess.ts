import type { CallCount } from "../policy.ts";
import type { CallBudget } from "./policy-rule.ts";
import type { ToolPattern } from "./tool-pattern.ts";

/** True if one more call exceeds the budget. Without a count, the answer is true: a limit must hold. */
export function isExceeded(
  { budget, pattern }: { readonly budget: CallBudget; readonly pattern: ToolPattern },
  counts: readonly CallCount[] | undefined,
): boolean {
  if (counts === undefined) return true;
  const made = counts
    .filter(({ toolPath }) => pattern.fits(toolPath))
    .reduce((sum, count) => sum + count[budget.per], 0);
  return made >= budget.calls;
}
