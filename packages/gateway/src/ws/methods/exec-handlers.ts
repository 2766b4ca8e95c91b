import type { ApprovalDesk } from "@deputy/agent";
import type { ApprovalAnswer, ApprovalId } from "@deputy/protocol";
import { refuseUnlessAnswered } from "../../routes/approvals-routes.ts";
import type { RpcContext, RpcHandlers } from "../rpc-context.ts";

export function execHandlers(deps: {
  readonly approvals: ApprovalDesk;
}): RpcHandlers<"exec.approve" | "exec.deny"> {
  const answer = async (id: ApprovalId, given: ApprovalAnswer, { caller }: RpcContext) => {
    refuseUnlessAnswered(await deps.approvals.resolve(id, given, caller.name), given);
    return { ok: true } as const;
  };
  return {
    "exec.approve": ({ approvalId, ...more }, context) =>
      answer(approvalId, { decision: "approved", ...more }, context),
    "exec.deny": ({ approvalId, ...more }, context) =>
      answer(approvalId, { decision: "denied", ...more }, context),
  };
}
