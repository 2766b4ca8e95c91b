import type { Grant, PolicyRequest } from "../policy.ts";

/** The narrowest of the request's grants that fits it now. Nothing in a grant is a pattern. */
export function coverageOf(request: PolicyRequest): "none" | "tool" | "input" {
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
