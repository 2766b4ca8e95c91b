import type { CallCount } from "../policy.ts";
import type { CallBudget } from "./policy-rule.ts";
import type { ToolPattern } from "./tool-pattern.ts";

/** Whether one more call would be too many. Where nobody counted it would: a limit is not to be hoped for. */
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
