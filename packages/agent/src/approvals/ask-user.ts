import type { IdSource } from "@deputy/kit";
import type { PolicyDecision } from "@deputy/policy";
import type { ApprovalId, EventLog, NewEvent } from "@deputy/protocol";
import type { Asked } from "./approval-binding.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { questionPreview } from "./approval-preview.ts";
import type { PutQuestion } from "./approval-question.ts";
import type { ApprovalWait } from "./approval-wait.ts";
import { type GatedCall, STOPPED, toAsk } from "../gate/gated-call.ts";
import { type CallEnd, denied } from "../gate/receipt.ts";
import { throwIfSuspended } from "../turn/stop-request.ts";

export interface AskUser {
  /**
   * Undefined when the user said yes. Takes out of `opening` what it has appended. Rejects with a
   * `SuspendRequest`, or as the log does.
   */
  whether(
    gated: GatedCall,
    decision: PolicyDecision,
    opening: NewEvent[],
    signal: AbortSignal,
  ): Promise<CallEnd | undefined>;
  /** Asks what became of a call that was running when Deputy stopped; resolves once that is in the log. */
  whatBecameOf(gated: GatedCall, deaths: number): Promise<ApprovalId>;
}

export function createAskUser(deps: {
  readonly log: EventLog;
  readonly approvals: ApprovalDesk;
  readonly ids: IdSource;
  readonly putQuestion: PutQuestion;
  readonly wait: ApprovalWait;
}): AskUser {
  const { log, approvals, ids, putQuestion, wait } = deps;

  const isOpen = async ({ approvalId }: Asked): Promise<boolean> =>
    (await approvals.answered(approvalId)) === undefined;

  /** Resolves once the question is in the log. */
  const ask = async (
    gated: GatedCall,
    decision: PolicyDecision,
    before: readonly NewEvent[],
    signal: AbortSignal,
  ): Promise<Asked> => {
    const { callId, request, inputHash, foreseen } = gated;
    if (foreseen !== undefined && (await isOpen(foreseen.asked))) {
      await log.append(request.stream, before);
      return foreseen.asked;
    }
    const question = await putQuestion(toAsk(gated), decision);
    if (request.plans !== undefined) {
      // Held back until the others wait as well, it is the user that the call waits for already.
      request.setWaiting(true);
      return await request.plans.ask({ question, callId, inputHash, before }, signal);
    }
    const requested: NewEvent = { type: "approval.requested", turnId: request.turnId, data: question };
    await log.append(request.stream, [...before, requested]);
    return question;
  };

  return {
    async whether(gated, decision, opening, signal) {
      const { request } = gated;
      try {
        const asked = await ask(gated, decision, opening, signal);
        opening.length = 0;
        return await wait.forApproval(gated, asked, signal);
      } catch (error) {
        throwIfSuspended(signal);
        if (!signal.aborted || error !== signal.reason) throw error;
        return denied(STOPPED);
      } finally {
        request.setWaiting(false);
      }
    },

    async whatBecameOf(gated, deaths) {
      const { callId, request } = gated;
      const approvalId = ids.next("call");
      const { expiresAt: _, ...asked } = await putQuestion(toAsk(gated), { reasons: [] });
      const preview = questionPreview(asked.preview, deaths);
      const often = deaths > 1 ? { deaths } : {};
      const data = { ...asked, approvalId, preview, unknownCall: callId, ...often, cellId: request.cellId };
      await log.append(request.stream, [{ type: "approval.requested", turnId: request.turnId, data }]);
      return approvalId;
    },
  };
}
