import { z } from "zod";
import { streamIdSchema } from "../canonical-event.ts";
import {
  answerFormSchema,
  approvalIdSchema,
  approvalPreviewSchema,
  bindingSchema,
  decisionSchema,
  knownResultSchema,
  scopeSchema,
} from "../events/call-events.ts";
import { idSchema, timestampSchema } from "../events/shared.ts";
import { approvalCardSchema } from "./approval-card.ts";

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
  /** What a client shows; the whole input is beside it. Absent from a daemon that is older. */
  card: approvalCardSchema.optional(),
  requestedAt: timestampSchema,
  expiresAt: timestampSchema.optional(),
  unknownCall: idSchema("call").optional(),
  deaths: z.int().min(2).optional(),
  askedBy: idSchema("call").optional(),
  /** What a yes must come with, for a client that shows a form. */
  form: answerFormSchema.optional(),
});
export type PendingApproval = z.infer<typeof pendingApprovalSchema>;

/** Body of `GET /api/approvals`. */
export const approvalListSchema = z.object({ approvals: z.array(pendingApprovalSchema) });

/** Body of the answer to `POST /api/approvals/:callId`. */
export const approvalAnsweredSchema = z.object({ id: approvalIdSchema, decision: decisionSchema });

/** What the user has allowed beyond one call. */
export const standingGrantSchema = z.object({
  id: idSchema("grant"),
  stream: streamIdSchema,
  scope: scopeSchema,
  /** What was allowed, as the card said it, in one line. */
  title: z.string(),
  /** The values that were on the card, or the calls of a plan; some, where there were many. */
  lines: z.array(z.string()),
  /** A tool, or one exact input of it. */
  bindings: z.array(bindingSchema),
  /** For a plan: each binding allows one call of its program. */
  planId: idSchema("plan").optional(),
  createdAt: timestampSchema,
  expiresAt: timestampSchema.optional(),
  /** How many calls it has allowed, and when the last one was. */
  uses: z.int().nonnegative().optional(),
  lastUsedAt: timestampSchema.optional(),
});
export type StandingGrant = z.infer<typeof standingGrantSchema>;

/** Body of `GET /api/grants`. */
export const grantListSchema = z.object({ grants: z.array(standingGrantSchema) });
