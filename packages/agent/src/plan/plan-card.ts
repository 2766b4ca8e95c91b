import type { CellId, PlanId, TurnId } from "@deputy/kit";
import {
  type ApprovalPreview,
  type EventData,
  gatherReasons,
  headingOf,
  type NewEvent,
  type PlannedCall,
  type Sha256,
} from "@deputy/protocol";
import { planBinding } from "../approvals/approval-binding.ts";
import type { Question } from "../approvals/approval-question.ts";

/** A call on a card. */
export interface ListedCall extends PlannedCall {
  readonly question: Question;
}

/** Joins several questions into one: `plan.proposed`, and the approval that asks about the whole plan. */
export function planEvents(
  sha256: Sha256,
  plan: {
    readonly planId: PlanId;
    readonly cellId: CellId;
    readonly turnId: TurnId;
    readonly programHash: string;
    readonly listed: readonly ListedCall[];
    readonly unforeseen: number;
  },
): { readonly events: readonly NewEvent[]; readonly asked: Question } {
  const { planId, cellId, turnId, listed, unforeseen } = plan;
  const calls = listed.map(({ question: _asked, ...call }) => call);
  // What a plain yes means for calls that ask once must be on the card.
  const scope = (["session-any", "session"] as const).find((far) => calls.some((call) => call.scope === far));
  const prompt = listed[0]?.question.prompt;
  const expiries = listed.flatMap(({ question }) => question.expiresAt ?? []);
  const proposed: EventData<"plan.proposed"> = {
    planId,
    cellId,
    calls: listed.map(({ callId, toolPath, inputHash, question }) => {
      return { callId, toolPath, input: question.input, inputHash };
    }),
    ...(unforeseen === 0 ? {} : { unforeseen }),
  };
  const asked: Question = {
    approvalId: planId,
    toolPath: "plan",
    input: {
      calls: listed.map(({ callId, toolPath, question: { input, preview } }) => {
        return { callId, toolPath, input, preview };
      }),
      ...(unforeseen === 0 ? {} : { unforeseen }),
    },
    preview: previewOfPlan(listed, unforeseen),
    ...(prompt === undefined ? {} : { prompt }),
    bindingHash: planBinding(sha256, plan.programHash, calls),
    cellId,
    calls,
    ...(scope === undefined ? {} : { scope }),
    ...(expiries.length === 0 ? {} : { expiresAt: expiries.sort()[0] }),
  };
  return {
    asked,
    events: [
      { type: "plan.proposed", turnId, data: proposed },
      { type: "approval.requested", turnId, data: asked },
    ],
  };
}

function previewOfPlan(listed: readonly ListedCall[], unforeseen: number): ApprovalPreview {
  const lines = listed.map(({ question }, n) => `${n + 1}. ${question.preview.title}`);
  const later =
    unforeseen === 0
      ? []
      : [
          `Calls that depend on results are asked about later: ${unforeseen} more ${unforeseen === 1 ? "call" : "calls"}.`,
        ];
  const reasons = gatherReasons(listed.flatMap(({ question }) => question.preview.reasons ?? []));
  return {
    title: headingOf(listed.map(({ question }) => question)),
    details: [...lines, ...later].join("\n"),
    ...(reasons.length === 0 ? {} : { reasons: [...reasons] }),
  };
}
