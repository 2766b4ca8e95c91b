import type { Policy, CallCount } from "../policy.ts";
import { factsOf } from "./considered-call.ts";
import { decideByTable } from "./decision-table.ts";
import { explainVerdict } from "./explain-verdict.ts";
import { judgeRequest } from "./origin-concern.ts";
import type { PolicySettings, CallBudget } from "./policy-rule.ts";
import { readToolPattern, type ToolPattern } from "./tool-pattern.ts";

/**
 * Decides by the user's settings, the tool's own labels, where the values come from, and grants. What
 * overrides what is in `decision-table.ts`. Settings are read once, here.
 */
export function createPolicy({ deny = [], rules = [], budgets = [] }: Partial<PolicySettings> = {}): Policy {
  const denied = deny.map((tool, at) => ({ pattern: readToolPattern(tool), place: `policy.deny[${at}]` }));
  const ruled = rules.map((rule, at) => ({
    rule,
    pattern: readToolPattern(rule.tool),
    place: `policy.rules[${at}]`,
  }));
  const limits = budgets.map((budget, at) => ({
    budget,
    pattern: readToolPattern(budget.tool),
    place: `policy.budgets[${at}]`,
  }));

  return {
    decide(request) {
      const { path, effect } = request.tool;
      const call = {
        request,
        origin: judgeRequest(request),
        denied: denied.find(({ pattern }) => pattern.fits(path)),
        rule: ruled.find(
          ({ pattern, rule }) => pattern.fits(path) && (rule.effect === undefined || rule.effect === effect),
        ),
        exceeded: limits.find((limit) => limit.pattern.fits(path) && isExceeded(limit, request.counts)),
      };
      return explainVerdict(decideByTable(factsOf(call)), call);
    },
  };
}

/** True if one more call exceeds the budget. Without a count, the answer is true: a limit must hold. */
function isExceeded(
  { budget, pattern }: { readonly budget: CallBudget; readonly pattern: ToolPattern },
  counts: readonly CallCount[] | undefined,
): boolean {
  if (counts === undefined) return true;
  const made = counts
    .filter(({ toolPath }) => pattern.fits(toolPath))
    .reduce((sum, count) => sum + count[budget.per], 0);
  return made >= budget.calls;
}
