import type { ApprovalDesk, GrantsDesk } from "@deputy/agent";
import type { ApprovalAnswer, ApprovalId } from "@deputy/protocol";
import { GatewayError } from "../../gateway-error.ts";
import { refuseUnlessAnswered } from "../../routes/approvals-routes.ts";
import type { RpcContext, RpcHandlers } from "../rpc-context.ts";

export function execHandlers(deps: {
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
}): RpcHandlers<"exec.pending" | "exec.approve" | "exec.deny" | "exec.grants" | "exec.revoke"> {
  const answer = async (id: ApprovalId, given: ApprovalAnswer, { caller }: RpcContext) => {
    refuseUnlessAnswered(await deps.approvals.resolve(id, given, caller.name), given);
    return { ok: true } as const;
  };
  return {
    "exec.pending": async () => ({ approvals: [...(await deps.approvals.pending())] }),
    "exec.approve": ({ approvalId, ...more }, context) =>
      answer(approvalId, { decision: "approved", ...more }, context),
    "exec.deny": ({ approvalId, ...more }, context) =>
      answer(approvalId, { decision: "denied", ...more }, context),
    "exec.grants": async () => ({ grants: [...(await deps.grants.list())] }),
    "exec.revoke": async ({ grantId }, { caller }) => {
      const { kind } = await deps.grants.revoke(grantId, caller.name);
      if (kind === "unknown") throw new GatewayError("not_found", "There is no such grant");
      return { ok: true };
    },
  };
}
