import type { Grant, Policy, PolicyDecision, PolicyRequest } from "./policy.ts";

/**
 * The defaults: a grant allows what it names; a tool that requires approval asks; what reaches
 * outward or destroys asks once untrusted text is in play.
 */
export function createDefaultPolicy(): Policy {
  return {
    decide(request): PolicyDecision {
      if (request.grants.some((grant) => covers(grant, request))) {
        return { decision: "allow", rule: "grant", reasons: ["You allowed this before."] };
      }
      if (request.tool.approval === "required") {
        return {
          decision: "ask",
          rule: "tool.approval",
          reasons: [`${request.tool.path} asks before every call.`],
        };
      }
      const untrusted = request.labels.filter((label) => label.trust === "untrusted");
      const reaches = request.tool.effect === "egress" || request.tool.effect === "destructive";
      if (reaches && untrusted.length > 0) {
        const sources = [...new Set(untrusted.map((label) => label.source))].join(", ");
        return {
          decision: "ask",
          rule: "untrusted.effect",
          reasons: [
            `This can have an effect (${request.tool.effect}), and text from ${sources} was read before it.`,
          ],
        };
      }
      return { decision: "allow", rule: "tool.auto", reasons: [] };
    },
  };
}

function covers(grant: Grant, request: PolicyRequest): boolean {
  // Asked this way round, so that a time nobody can read has passed.
  if (grant.expiresAtMs !== undefined && !(grant.expiresAtMs > request.nowMs)) return false;
  return grant.bindings.some(
    (binding) =>
      binding.toolPath === request.tool.path &&
      (binding.inputHash === undefined || binding.inputHash === request.inputHash),
  );
}
