import type { Clock } from "@deputy/kit";
import type { ApprovalId, EventLog, PendingApproval } from "@deputy/protocol";
import {
  type Answer,
  findApproval,
  msLeft,
  openApprovalsView,
  pendingIn,
  toPending,
} from "./approvals-view.ts";

/** A question and its outcome. */
export interface RecordedApproval extends PendingApproval {
  readonly status: "pending" | "approved" | "denied" | "expired";
  readonly answer?: Omit<Answer, "approvalId">;
}

/** Reads approvals from a log that another process may be writing to. Both methods reject as the log does. */
export interface ApprovalsReader {
  /** The same list as `ApprovalDesk.pending`. */
  pending(): Promise<readonly PendingApproval[]>;
  find(id: ApprovalId): Promise<RecordedApproval | undefined>;
}

export function createApprovalsReader(deps: {
  readonly log: Pick<EventLog, "readAll" | "snapshots">;
  readonly clock: Pick<Clock, "now">;
}): ApprovalsReader {
  const view = openApprovalsView(deps.log);
  return {
    pending: async () => pendingIn((await view.current()).state, deps.clock.now()),
    async find(id) {
      const found = await findApproval(deps.log, (await view.current()).state, id);
      if (found === undefined) return undefined;
      const { request, answer } = found;
      if (answer === undefined)
        return {
          ...toPending(request),
          status: msLeft(request, deps.clock.now()) > 0 ? "pending" : "expired",
        };
      const { approvalId: _, ...given } = answer;
      return {
        ...toPending(request),
        status: answer.isExpired === true ? "expired" : answer.decision,
        answer: given,
      };
    },
  };
}
