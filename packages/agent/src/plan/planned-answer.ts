import type { GrantId } from "@deputy/kit";
import type { PolicyDecision } from "@deputy/policy";
import type { Sha256 } from "@deputy/protocol";
import { isOtherwise } from "../approvals/approval-binding.ts";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import { isApproved } from "../approvals/approval-wait.ts";
import { declinedEnd } from "../approvals/declined.ts";
import type { GrantsView } from "../grants/grants-view.ts";
import type { GatedCall } from "../gate/gated-call.ts";
import type { CallEnd } from "../gate/receipt.ts";

export interface PlannedAnswer {
  readonly decision: PolicyDecision & { readonly grantId?: GrantId };
  /** Present when the user said no. */
  readonly refusal: CallEnd | undefined;
}

/** The user's answer to a call in a plan; undefined when there is none yet, or when it no longer counts. */
export async function readPlannedAnswer(
  deps: { readonly approvals: ApprovalDesk; readonly grants: GrantsView; readonly sha256: Sha256 },
  gated: GatedCall,
): Promise<PlannedAnswer | undefined> {
  const { callId, foreseen, request } = gated;
  if (foreseen === undefined) return undefined;
  const { approvalId } = foreseen.asked;
  const answer = await deps.approvals.answered(approvalId);
  if (answer === undefined) return undefined;
  if (answer.isExpired === true) return giveUp();
  const by = { rule: "plan", reasons: [`You decided about it in the plan ${approvalId}.`] };
  if (!isApproved(answer, callId)) {
    return { decision: { ...by, decision: "deny" }, refusal: declinedEnd(gated, foreseen.asked, answer) };
  }
  const grantId = deps.grants.ofPlan(request.stream, approvalId);
  if (grantId === undefined) return giveUp();
  // The approval was for something else, so the user is asked again.
  if (await isOtherwise(deps.sha256, foreseen.asked, gated)) return undefined;
  return { decision: { ...by, decision: "allow", grantId }, refusal: undefined };

  function giveUp(): undefined {
    request.plans?.drop(approvalId);
  }
}
