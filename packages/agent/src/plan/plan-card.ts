import type { CellId, PlanId, TurnId } from "@deputy/kit";
import type { ApprovalPreview, EventData, NewEvent, PlannedCall, Sha256 } from "@deputy/protocol";
import { planBinding } from "../approvals/approval-binding.ts";
import type { Question } from "../approvals/approval-question.ts";

/** A call on a card. */
export interface ListedCall extends PlannedCall {
  readonly question: Question;
}

const MOST_REASONS = 20;

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
    bindingHash: planBinding(sha256, plan.programHash, calls),
    cellId,
    calls,
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
  const reasons = [...new Set(listed.flatMap(({ question }) => question.preview.reasons ?? []))];
  const left = reasons.length - MOST_REASONS;
  return {
    title: titleOfPlan(listed.map(({ toolPath }) => toolPath)),
    details: [...lines, ...later].join("\n"),
    ...(reasons.length === 0
      ? {}
      : {
          reasons: [
            ...reasons.slice(0, MOST_REASONS),
            ...(left > 0 ? [`${left} more, told with the calls.`] : []),
          ],
        }),
  };
}

const MOST_TOOLS_IN_TITLE = 4;

/** `close 15 issues` where a path reads like that, else `3 × mail.send`; the most frequent first. */
export function titleOfPlan(toolPaths: readonly string[]): string {
  const counts = [...Map.groupBy(toolPaths, (path) => path)]
    .map(([path, calls]) => ({ path, count: calls.length }))
    .sort((a, b) => b.count - a.count);
  const named = counts.slice(0, MOST_TOOLS_IN_TITLE).map(({ path, count }) => phrase(path, count));
  const rest = counts.slice(MOST_TOOLS_IN_TITLE).reduce((sum, { count }) => sum + count, 0);
  return [...named, ...(rest === 0 ? [] : [`${rest} more`])].join(", ");
}

function phrase(path: string, count: number): string {
  const [verb = "", noun = ""] = path.split(".").reverse();
  const isReadable = /^[a-z]+$/.test(verb) && /^[a-z]+s$/.test(noun);
  if (!isReadable) return `${count} × ${path}`;
  return `${verb} ${count} ${count === 1 ? noun.slice(0, -1) : noun}`;
}
