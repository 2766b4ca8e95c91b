import { z } from "zod";
import { streamIdSchema } from "./canonical-event.ts";
import {
  approvalIdSchema,
  approvalPreviewSchema,
  decisionSchema,
  knownResultSchema,
  scopeSchema,
} from "./events/call-events.ts";
import { idSchema, timestampSchema } from "./events/shared.ts";

/** Body of `POST /api/approvals/:callId`. */
export const approvalAnswerSchema = z.strictObject({
  decision: decisionSchema,
  scope: scopeSchema.optional(),
  expiresAt: timestampSchema.optional(),
  reason: z.string().max(2_000).optional(),
  calls: z.array(idSchema("call")).optional(),
  result: knownResultSchema.optional(),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

export const pendingApprovalSchema = z.object({
  id: approvalIdSchema,
  stream: streamIdSchema,
  toolPath: z.string(),
  input: z.unknown(),
  preview: approvalPreviewSchema,
  requestedAt: timestampSchema,
  expiresAt: timestampSchema.optional(),
  unknownCall: idSchema("call").optional(),
});
export type PendingApproval = z.infer<typeof pendingApprovalSchema>;
