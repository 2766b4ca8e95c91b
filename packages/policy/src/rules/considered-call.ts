import type { PolicyRequest, Grant } from "../policy.ts";
import type { CallFacts } from "./decision-table.ts";
import type { OriginConcern } from "./origin-concern.ts";
import type { CallBudget, PolicyRule } from "./policy-rule.ts";

/** Everything that was found about one call; settings with their place in the configuration. */
export interface ConsideredCall {
  readonly request: PolicyRequest;
  readonly origin: OriginConcern;
  readonly denied?: { readonly place: string } | undefined;
  readonly rule?: { readonly rule: PolicyRule; readonly place: string } | undefined;
  readonly exceeded?: { readonly budget: CallBudget; readonly place: string } | undefined;
}

/** The same as the decision table knows it. */
export function factsOf({ request, origin, denied, rule, exceeded }: ConsideredCall): CallFacts {
  const { effect, approval, grantable = "tool" } = request.tool;
  return {
    isOnDenyList: denied !== undefined,
    rule: rule === undefined ? "none" : sayingOf(rule.rule),
    grant: coverageOf(request),
    grantable,
    effect: effect === "egress" || effect === "destructive" ? "reaching" : effect,
    approval,
    isUnexplained: origin.words.length > 0,
    isOverBudget: exceeded !== undefined,
    isBlind: request.origins === undefined && origin.sources.length > 0,
  };
}

function sayingOf({ decision, evenUntrusted }: PolicyRule): CallFacts["rule"] {
  if (decision === "allow") return evenUntrusted === true ? "allow-untrusted" : "allow";
  return decision === "ask-once" ? "ask" : decision;
}

/** The narrowest of the request's grants that fits it now. Nothing in a grant is a pattern. */
function coverageOf(request: PolicyRequest): "none" | "tool" | "input" {
  const bindings = request.grants
    .filter((grant) => isInForce(grant, request.nowMs))
    .flatMap((grant) => grant.bindings)
    .filter((binding) => binding.toolPath === request.tool.path);
  if (bindings.some((binding) => binding.inputHash === request.inputHash)) return "input";
  return bindings.some((binding) => binding.inputHash === undefined) ? "tool" : "none";
}

/** Written this way round, so that an unreadable time counts as expired. */
function isInForce(grant: Grant, nowMs: number): boolean {
  return grant.expiresAtMs === undefined || grant.expiresAtMs > nowMs;
}
