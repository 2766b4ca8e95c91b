import type { Clock } from "@deputy/kit";
import type { CallCount, Grant, Policy, PolicyDecision } from "@deputy/policy";
import type { CallRequest } from "./call-request.ts";
import type { Passage } from "./passage.ts";

/** What the policy says to a call, made now or merely thought of. */
export type JudgeCall = (
  call: Pick<Passage, "tool" | "input" | "inputHash">,
  seen: Pick<CallRequest, "labels" | "origins">,
  standing: { readonly grants: readonly Grant[]; readonly counts: readonly CallCount[] | undefined },
) => PolicyDecision;

export function createJudgeCall(deps: { readonly policy: Policy; readonly clock: Clock }): JudgeCall {
  return ({ tool, input, inputHash }, { labels, origins }, { grants, counts }) =>
    deps.policy.decide({
      tool: { ...tool, ...tool.termsOf?.(input.value) },
      input: input.json,
      inputHash,
      labels,
      ...(origins === undefined ? {} : { origins }),
      grants,
      counts,
      nowMs: deps.clock.now(),
    });
}
