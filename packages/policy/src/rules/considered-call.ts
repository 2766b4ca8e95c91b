import type { Grant, GrantBinding, PolicyRequest, PolicyTool } from "../policy.ts";
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
  const takesAny = takesAnyValues(request.tool) || isForEverything(rule?.rule);
  return {
    isOnDenyList: denied !== undefined,
    rule: rule === undefined ? "none" : sayingOf(rule.rule),
    grant: coverageOf(request, origin, takesAny),
    grantable,
    takesAnyValues: takesAny,
    effect: effect === "egress" || effect === "destructive" ? "reaching" : effect,
    approval,
    isUnexplained: origin.words.length > 0,
    isOverBudget: exceeded !== undefined,
    isBlind: request.origins?.judge === undefined && origin.sources.length > 0,
  };
}

/** Where something leaves or is lost, the next value may be the one that matters: only the author can say otherwise. */
function takesAnyValues({ anyValues, effect }: PolicyTool): boolean {
  return anyValues ?? (effect === "read" || effect === "write");
}

/** The user's own settings can say what a tool's author did not. */
function isForEverything(rule: PolicyRule | undefined): boolean {
  return rule?.decision === "ask-once" && rule.evenUntrusted === true;
}

function sayingOf({ decision, evenUntrusted }: PolicyRule): CallFacts["rule"] {
  if (decision === "allow") return evenUntrusted === true ? "allow-untrusted" : "allow";
  return decision === "ask-once" ? "ask" : decision;
}

/**
 * The narrowest of the request's grants that fits it now. Nothing in a grant is a pattern, and one of a tool is for
 * values that were on its card, or are explained.
 */
function coverageOf(
  request: PolicyRequest,
  { isGranted }: OriginConcern,
  takesAny: boolean,
): CallFacts["grant"] {
  const bindings = bindingsInForce(request);
  if (bindings.some((binding) => binding.inputHash === request.inputHash)) return "input";
  if (takesAny && bindings.some((binding) => binding.anyValues === true)) return "any";
  return isGranted ? "tool" : "none";
}

/** What the request's grants say of its tool now. */
export function bindingsInForce({
  grants,
  tool,
  nowMs,
}: Pick<PolicyRequest, "grants" | "tool" | "nowMs">): readonly GrantBinding[] {
  return grants
    .filter((grant) => isInForce(grant, nowMs))
    .flatMap((grant) => grant.bindings)
    .filter((binding) => binding.toolPath === tool.path);
}

/** Written this way round, so that an unreadable time counts as expired. */
function isInForce(grant: Grant, nowMs: number): boolean {
  return grant.expiresAtMs === undefined || grant.expiresAtMs > nowMs;
}
