import { z } from "zod";
import { idSchema } from "../events/shared.ts";
import { approvalAnswerSchema, approvalListSchema, grantListSchema } from "../wire/approval.ts";
import { approvalIdSchema } from "../events/call-events.ts";
import { method } from "./rpc-method.ts";

/** Who answered in a chat app, as `telegram:17`; absent: whoever has signed in here. */
const by = z
  .string()
  .regex(/^[a-z][a-z0-9]*:\S+$/, "is nobody in a chat app")
  .max(200)
  .optional();
const ok = z.object({ ok: z.literal(true) });
const approvalId = approvalIdSchema;
const { scope, expiresAt, reason, calls, result } = approvalAnswerSchema.shape;

export const execMethods = {
  "exec.pending": method(
    "Every question that waits for an answer, the oldest first",
    z.strictObject({}),
    approvalListSchema,
  ),
  "exec.answer": method(
    "How a question was answered; `answer` is absent while it waits, and for an unknown one",
    z.strictObject({ approvalId }),
    z.object({
      answer: z
        .object({
          decision: z.enum(["approved", "denied"]),
          by: z.string(),
          reason: z.string().optional(),
          isExpired: z.literal(true).optional(),
          /** Only for a plan: the approved calls, if not all were approved. */
          calls: z.array(z.string()).optional(),
        })
        .optional(),
    }),
  ),
  "exec.approve": method(
    "Approves a call, or the calls of a plan, or some: `reason` is for the others. `result` has the values that a running call asked for. The first answer counts",
    z.strictObject({ approvalId, scope, expiresAt, calls, reason, result, by }),
    ok,
  ),
  "exec.deny": method(
    "Denies it; `result` is what a call gave whose outcome was unknown to Deputy",
    z.strictObject({ approvalId, reason, result, by }),
    ok,
  ),
  "exec.grants": method(
    "What you have allowed beyond one call, as long as it can still allow something",
    z.strictObject({}),
    grantListSchema,
  ),
  "exec.revoke": method(
    "Takes a grant back: from the next call on it allows nothing",
    z.strictObject({ grantId: idSchema("grant") }),
    ok,
  ),
} as const;
