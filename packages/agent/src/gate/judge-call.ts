import type { Clock } from "@deputy/kit";
import type { CallCount, Grant, Policy, PolicyDecision } from "@deputy/policy";
import type { ApprovalMode, CallTerms } from "@deputy/tools";
import type { CallRequest } from "./call-request.ts";
import type { GatedCall } from "./gated-call.ts";

/** A decision, and the terms of the call that it was made on. */
export interface Judgement extends PolicyDecision {
  readonly approval: ApprovalMode;
}

/** The terms of one call as far as they are its own. Found first: what is judged by them is judged in one step. */
export async function readTerms(
  { tool, input, session }: Pick<GatedCall, "tool" | "input" | "session">,
  { origins }: Pick<CallRequest, "origins">,
): Promise<CallTerms | undefined> {
  return await tool.termsOf?.(input.value, { session, untrusted: origins?.untrusted });
}

/** Asks the policy about a call, whether it is made now or only foreseen. */
export type JudgeCall = (
  call: Pick<GatedCall, "tool" | "input" | "inputHash">,
  terms: CallTerms | undefined,
  seen: Pick<CallRequest, "labels" | "origins">,
  standing: { readonly grants: readonly Grant[]; readonly counts: readonly CallCount[] | undefined },
) => Judgement;

export function createJudgeCall(deps: { readonly policy: Policy; readonly clock: Clock }): JudgeCall {
  return ({ tool, input, inputHash }, terms, { labels, origins }, { grants, counts }) => {
    const onTerms = { ...tool, ...terms };
    const decision = deps.policy.decide({
      tool: onTerms,
      input: input.json,
      inputHash,
      labels,
      ...(origins === undefined ? {} : { origins }),
      grants,
      counts,
      nowMs: deps.clock.now(),
    });
    return { ...decision, approval: onTerms.approval };
  };
}
