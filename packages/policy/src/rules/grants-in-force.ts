import type { Grant, GrantBinding, PolicyRequest } from "../policy.ts";

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
