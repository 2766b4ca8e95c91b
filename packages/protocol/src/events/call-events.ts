import { z } from "zod";
import {
  attachmentSchema,
  failureSchema,
  idSchema,
  labelSchema,
  sha256Schema,
  timestampSchema,
} from "./shared.ts";

const callId = idSchema("call");
/** An approval answers one call or one plan and carries its id. */
export const approvalIdSchema = z.union([idSchema("call"), idSchema("plan")]);
export type ApprovalId = z.infer<typeof approvalIdSchema>;

export const decisionSchema = z.enum(["approved", "denied"]);
export const scopeSchema = z.enum(["once", "plan", "session", "task"]);
export type ApprovalScope = z.infer<typeof scopeSchema>;

export const approvalPreviewSchema = z.object({ title: z.string(), details: z.string().optional() });
export type ApprovalPreview = z.infer<typeof approvalPreviewSchema>;

/** What a call gave whose outcome was unknown to Deputy: the user has looked. Comes with a denial, as it is not to run again. */
export const knownResultSchema = z.strictObject({ value: z.unknown() });

export const callStatusSchema = z.enum(["succeeded", "failed", "denied", "unknown"]);
export type CallStatus = z.infer<typeof callStatusSchema>;

const bindingSchema = z.object({ toolPath: z.string(), inputHash: sha256Schema.optional() });

export const callEvents = {
  "call.requested": z.object({
    callId,
    /** Absent for plain function calling. */
    cellId: idSchema("cell").optional(),
    index: z.int().nonnegative(),
    toolPath: z.string(),
    input: z.unknown(),
    inputHash: sha256Schema,
    labels: z.array(labelSchema),
  }),
  "call.decided": z.object({
    callId,
    decision: z.enum(["allow", "ask", "deny"]),
    rule: z.string(),
    /** Why, in words for the user: which value came from where. */
    provenance: z.array(z.string()),
  }),
  "approval.requested": z.object({
    approvalId: approvalIdSchema,
    toolPath: z.string(),
    input: z.unknown(),
    preview: approvalPreviewSchema,
    bindingHash: sha256Schema,
    expiresAt: timestampSchema.optional(),
    /** Present when the question is what became of a call that was running when Deputy stopped. */
    unknownCall: callId.optional(),
    /** Whose journal takes the answer, when that may hold more than an event should. */
    cellId: idSchema("cell").optional(),
  }),
  "approval.resolved": z.object({
    approvalId: approvalIdSchema,
    decision: decisionSchema,
    by: z.string(),
    scope: scopeSchema,
    reason: z.string().optional(),
    calls: z.array(callId).optional(),
    result: knownResultSchema.optional(),
  }),
  "call.started": z.object({ callId, toolPath: z.string(), idempotencyKey: z.string() }),
  "call.progress": z.object({ callId, toolPath: z.string(), message: z.string() }),
  "call.settled": z.object({
    callId,
    cellId: idSchema("cell").optional(),
    toolPath: z.string(),
    status: callStatusSchema,
    preview: z.string().optional(),
    error: failureSchema.optional(),
    attachments: z.array(attachmentSchema),
    labels: z.array(labelSchema),
    durationMs: z.number().nonnegative(),
  }),
  "plan.proposed": z.object({
    planId: idSchema("plan"),
    cellId: idSchema("cell"),
    calls: z.array(z.object({ toolPath: z.string(), input: z.unknown(), inputHash: sha256Schema })),
  }),
  "grant.created": z.object({
    grantId: idSchema("grant"),
    scope: scopeSchema,
    bindings: z.array(bindingSchema),
    expiresAt: timestampSchema.optional(),
  }),
  "grant.revoked": z.object({ grantId: idSchema("grant"), by: z.string() }),
} as const;
