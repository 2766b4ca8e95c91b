import { z } from "zod";
import { approvalAnswerSchema } from "../wire/approval.ts";
import { approvalIdSchema } from "../events/call-events.ts";
import { method } from "./rpc-method.ts";

const ok = z.object({ ok: z.literal(true) });
const approvalId = approvalIdSchema;
const { scope, expiresAt, reason, calls, result } = approvalAnswerSchema.shape;

export const execMethods = {
  "exec.approve": method(
    "Approves a call, or the calls of a plan, or some: `reason` is for the others. The first answer counts",
    z.strictObject({ approvalId, scope, expiresAt, calls, reason }),
    ok,
  ),
  "exec.deny": method(
    "Denies it; `result` is what a call gave whose outcome was unknown to Deputy",
    z.strictObject({ approvalId, reason, result }),
    ok,
  ),
} as const;
