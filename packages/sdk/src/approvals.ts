import type { ApprovalDesk } from "@deputy/agent";
import {
  type ApprovalAnswer,
  type ApprovalId,
  approvalIdSchema,
  type PendingApproval,
  readPlanCard,
} from "@deputy/protocol";
import type { ApprovalQuestion, Approvals, Decision } from "./deputy.ts";
import { SDK_CHANNEL } from "./sdk-channel.ts";
import { SdkError } from "./sdk-error.ts";

export function openApprovals(desk: ApprovalDesk, assertOpen: () => void): Approvals {
  return {
    async list() {
      assertOpen();
      return (await desk.pending()).map(toQuestion);
    },
    async answer(id, decision) {
      assertOpen();
      const parsed = approvalIdSchema.safeParse(id);
      if (!parsed.success) throw unknownApproval(id);
      return { decision: await resolveQuestion(desk, parsed.data, decision) };
    },
  };
}

/** Returns what was decided, by this answer or an earlier one. Throws `unknown_approval` or `approval_failed`. */
export async function resolveQuestion(
  desk: ApprovalDesk,
  id: ApprovalId,
  decision: Decision,
): Promise<ApprovalAnswer["decision"]> {
  const answer = typeof decision === "string" ? { decision } : decision;
  const outcome = await desk.resolve(id, answer, SDK_CHANNEL);
  if (outcome.kind === "resolved") return answer.decision;
  if (outcome.kind === "already_resolved") return outcome.decision;
  if (outcome.kind === "expired") return "denied";
  if (outcome.kind === "unknown") throw unknownApproval(id);
  throw new SdkError("approval_failed", `The answer is not valid for the question: ${outcome.message}`, {
    hint: 'Answer "approved" or "denied", or an object with more; the question is still open.',
  });
}

export function toQuestion({ stream, ...pending }: PendingApproval): ApprovalQuestion {
  const plan = readPlanCard(pending);
  return { ...pending, sessionId: stream, ...(plan === undefined ? {} : { plan }) };
}

function unknownApproval(id: string): SdkError {
  return new SdkError("unknown_approval", `There is no question ${id} here`, {
    hint: "`approvals.list()` gives the ids of those that wait.",
  });
}
