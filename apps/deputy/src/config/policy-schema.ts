import { TOOL_PATTERN } from "@deputy/policy/patterns";
import { z } from "zod";
import { now } from "./setting.ts";

const pattern = z.string().regex(TOOL_PATTERN, "must be a pattern such as `mail`, `github.*` or `**.delete`");

const ruleParts = {
  tool: pattern,
  effect: z.enum(["read", "write", "egress", "destructive"]).optional(),
  decision: z.enum(["allow", "ask", "ask-once", "deny"]),
  reason: z.string().min(1).optional(),
  evenUntrusted: z.boolean().optional(),
};
const budgetParts = { tool: pattern, calls: z.int().min(0), per: z.enum(["turn", "session", "day"]) };

/** Unlike elsewhere, an unknown key is an error: without it, a rule would apply too widely. */
function hasOnly(parts: object) {
  const names = Object.keys(parts);
  const check = (value: object): boolean => Object.keys(value).every((name) => names.includes(name));
  return [check, `can only have ${names.join(", ")}`] as const;
}

const rule = z
  .looseObject(ruleParts)
  .refine(...hasOnly(ruleParts))
  .refine(
    ({ decision, evenUntrusted }) =>
      evenUntrusted === undefined || decision === "allow" || decision === "ask-once",
    "can have evenUntrusted only with the decisions allow and ask-once",
  );
const budget = z.looseObject(budgetParts).refine(...hasOnly(budgetParts));

/** The user's rules for calls. */
export const policySchema = z
  .strictObject({
    deny: now(z.array(pattern).default([]), "Patterns of tools that never run; nothing overrides this"),
    rules: now(
      z.array(rule).default([]),
      "Which tools are allowed, ask or are denied, by patterns; the first match decides",
    ),
    budgets: now(
      z.array(budget).default([]),
      "How often tools may be called per turn, session or day; each further call asks",
    ),
    plans: now(
      z.boolean().default(true),
      "Whether Deputy asks about all calls of a program at once, as a plan; otherwise each call asks when it comes",
    ),
  })
  .prefault({});
