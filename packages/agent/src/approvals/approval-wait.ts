import type { CallId } from "@deputy/kit";
import type { ApprovalId, EventData, Sha256 } from "@deputy/protocol";
import { type Asked, isAbout, isOtherwise, placeOf } from "./approval-binding.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { type GatedCall, STOPPED, toAsk } from "../gate/gated-call.ts";
import { type CallEnd, denied } from "../gate/receipt.ts";
import { declinedEnd, refusalOf } from "./declined.ts";
import { stoppedBy, throwIfSuspended } from "../turn/stop-request.ts";

type Answer = EventData<"approval.resolved">;

/** A call's wait for the user. Both reject with a `SuspendRequest`, or as the log does. */
export interface ApprovalWait {
  /** Undefined when the user said yes to this very call. */
  forApproval(gated: GatedCall, asked: Asked, signal: AbortSignal): Promise<CallEnd | undefined>;
  /** Waits without a limit. An abort is recorded as a denial, and this then gives undefined. */
  forAnswer(gated: GatedCall, approvalId: ApprovalId, signal: AbortSignal): Promise<Answer | undefined>;
}

const OTHER = "What was asked about is not what the program asks for now.";
const CHANGED =
  "What you were asked about has changed since, so it did not run. Called again, it asks about what is there now.";

export function createApprovalWait(deps: {
  readonly approvals: ApprovalDesk;
  readonly sha256: Sha256;
}): ApprovalWait {
  const { approvals, sha256 } = deps;

  const forAnswer: ApprovalWait["forAnswer"] = async ({ request }, approvalId, signal) => {
    request.setWaiting(true);
    try {
      return await approvals.wait(approvalId, signal);
    } catch (error) {
      throwIfSuspended(signal);
      if (!signal.aborted) throw error;
      await approvals.resolve(approvalId, { decision: "denied", reason: STOPPED }, stoppedBy(signal));
      return undefined;
    } finally {
      request.setWaiting(false);
    }
  };

  return {
    forAnswer,
    async forApproval(gated, asked, signal) {
      if (!isAbout(sha256, asked, toAsk(gated))) return denied(OTHER);
      const answer = await forAnswer(gated, asked.approvalId, signal);
      if (answer === undefined) return denied(STOPPED);
      if (answer.isExpired === true) return denied(refusalOf(answer), "approval_expired");
      if (!isApproved(answer, gated.callId)) return declinedEnd(gated, asked, answer);
      if (!(await isOtherwise(sha256, asked, gated))) return undefined;
      const change = await gated.tool.changeOf?.(gated.input.value, placeOf(gated));
      return denied(change === undefined ? CHANGED : `${CHANGED} ${change}`);
    },
  };
}

/** Was this call approved? The answer to a plan may approve some of its calls only. */
export function isApproved({ decision, calls }: Answer, callId: CallId): boolean {
  return decision === "approved" && (calls === undefined || calls.includes(callId));
}
