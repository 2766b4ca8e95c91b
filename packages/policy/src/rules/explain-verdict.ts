import { withRead } from "@deputy/protocol";
import type { PolicyDecision } from "../policy.ts";
import type { ConsideredCall } from "./considered-call.ts";
import type { Concern, Verdict } from "./decision-table.ts";

/** A verdict as users see it and as the log records it: with the deciding rule and every reason in words. */
export function explainVerdict(verdict: Verdict, call: ConsideredCall): PolicyDecision {
  if (verdict.kind === "deny") return { decision: "deny", ...denialOf(verdict.by, call) };
  if (verdict.kind === "allow") return { decision: "allow", ...permissionOf(verdict.by, call) };
  const concerns = verdict.concerns.map((concern) => EXPLAIN[concern](call));
  const { grantable, takesAnyValues } = verdict;
  const isOnce = call.rule?.rule.decision === "ask-once" && (takesAnyValues || grantable === "tool");
  return {
    decision: "ask",
    rule: concerns[0]?.rule ?? "",
    reasons: concerns.flatMap(({ reasons }) => reasons),
    grantable,
    ...(takesAnyValues ? { anyValues: true } : {}),
    ...(isOnce ? { askOnce: true } : {}),
  };
}

interface Explanation {
  readonly rule: string;
  readonly reasons: readonly string[];
}

function denialOf(by: "list" | "rule", call: ConsideredCall): Explanation {
  if (by === "rule") return ruleOf(call, "must never run");
  const rule = call.denied?.place ?? "";
  return { rule, reasons: [`${call.request.tool.path} must never run (${rule}).`] };
}

function permissionOf(by: "nothing" | "rule" | "grant", call: ConsideredCall): Explanation {
  if (by === "rule") return ruleOf(call, "may run");
  if (by === "grant") return { rule: "grant", reasons: ["You allowed this before."] };
  return { rule: "tool.auto", reasons: [] };
}

const EXPLAIN: Readonly<Record<Concern, (call: ConsideredCall) => Explanation>> = {
  rule: (call) => ruleOf(call, "needs your approval"),
  approval: ({ request }) => ({
    rule: "tool.approval",
    reasons: [`${request.tool.path} asks before every call.`],
  }),
  origin: ({ origin }) => ({ rule: "provenance", reasons: origin.words }),
  budget: budgetOf,
  effect: ({ request, origin }) => ({
    rule: "untrusted.effect",
    reasons: [withRead(`This call can have an effect (${request.tool.effect})`, origin.sources)],
  }),
};

function ruleOf({ request, rule }: ConsideredCall, saying: string): Explanation {
  const place = rule?.place ?? "";
  return { rule: place, reasons: [rule?.rule.reason ?? `${request.tool.path} ${saying} (${place}).`] };
}

function budgetOf({ exceeded }: ConsideredCall): Explanation {
  const { budget, place } = exceeded ?? {};
  const words = `More than ${budget?.calls} calls of ${budget?.tool} in one ${budget?.per} (${place}).`;
  return { rule: place ?? "", reasons: [words] };
}
