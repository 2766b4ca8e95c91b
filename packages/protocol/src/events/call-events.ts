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
/** `session-any`: calls of the tool in this session, whatever their values. */
export const scopeSchema = z.enum(["once", "plan", "session", "session-any", "task"]);
export type ApprovalScope = z.infer<typeof scopeSchema>;

/** What the user decides by, next to the whole input. */
export const approvalPreviewSchema = z.object({
  /** One line. */
  title: z.string(),
  details: z.string().optional(),
  /** Why it is asked, and what in the input could fool the eye. */
  reasons: z.array(z.string()).optional(),
  /** Files it would change, each as a unified diff. */
  changes: z.array(z.object({ path: z.string(), diff: z.string() })).optional(),
  /** Scripts and other files that it would run, as they are when it is asked. */
  contents: z.array(z.object({ path: z.string(), text: z.string() })).optional(),
  /** How far the call reaches, by the terms it was judged on. */
  effect: z.enum(["read", "write", "egress", "destructive"]).optional(),
  /** What ids in the input stand for, as a tool has shown before. */
  rows: z.array(z.object({ path: z.string(), text: z.string(), source: z.string() })).optional(),
});
export type ApprovalPreview = z.infer<typeof approvalPreviewSchema>;

/** What an approval that reaches further than one call would allow. */
const reachSchema = {
  /** The scope of an approval, unless the answer names another; absent: once. */
  scope: scopeSchema.optional(),
  /** `input`: no more than calls with the very same input; else any of the tool. */
  grantable: z.enum(["tool", "input"]).optional(),
  /** The user can also choose the scope `session-any`. */
  anyValues: z.literal(true).optional(),
  /** The hash of what the tool is and who is behind it: a grant is for this one only. */
  toolHash: sha256Schema.optional(),
  /** The hash of what a grant of this very input depends on; see `grounds` of a tool. */
  groundsHash: sha256Schema.optional(),
};

/** One call of a plan. Its id is the one it will have when the program makes it. */
const plannedCallSchema = z.object({
  callId,
  toolPath: z.string(),
  inputHash: sha256Schema,
  circumstances: sha256Schema.optional(),
  ...reachSchema,
});
export type PlannedCall = z.infer<typeof plannedCallSchema>;

/** The values that a running call asks for. */
export const answerFormSchema = z.object({
  /** JSON Schema of the whole answer. */
  schema: z.unknown(),
  /** What a yes means for the fields that it does not name. */
  proposed: z.record(z.string(), z.unknown()),
  /** What is asked, where the preview's details are made for clients without forms. */
  says: z.string().optional(),
});

/** What a call gave whose outcome was unknown to Deputy: the user has looked. Comes with a denial, as it is not to run again. */
export const knownResultSchema = z.strictObject({ value: z.unknown() });

export const callStatusSchema = z.enum(["succeeded", "failed", "denied", "unknown"]);
export type CallStatus = z.infer<typeof callStatusSchema>;

export const callFailureSchema = failureSchema.extend({
  /** The HTTP status of a server that refused. */
  status: z.int().optional(),
  /** What to do next, where whoever raised the error said so. */
  hint: z.string().optional(),
  /** What it answered, as data; absent where that was nothing, or much. */
  body: z.unknown().optional(),
  /** The user said no to this call, named with what it was about; `said`: in these words. */
  declined: z.object({ call: z.string(), said: z.string().optional() }).optional(),
});

/** A tool, or one input of it. It holds as long as both hashes are what they were; absent ones are not compared. */
export const bindingSchema = z.object({
  toolPath: z.string(),
  inputHash: sha256Schema.optional(),
  toolHash: sha256Schema.optional(),
  groundsHash: sha256Schema.optional(),
  /** Values that were on the card, by their places in the input: seen together, they need no other explanation. */
  values: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))).optional(),
  /** No value needs one. */
  anyValues: z.literal(true).optional(),
});
export type GrantBinding = z.infer<typeof bindingSchema>;

export const callEvents = {
  "call.requested": z.object({
    callId,
    /** Absent for plain function calling. */
    cellId: idSchema("cell").optional(),
    index: z.int().nonnegative(),
    toolPath: z.string(),
    /** The path that the program called it by, where that is an alias. */
    calledAs: z.string().optional(),
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
    /** The grant that allowed the call, if one did. Events of earlier versions lack it. */
    grantId: idSchema("grant").optional(),
  }),
  "approval.requested": z.object({
    approvalId: approvalIdSchema,
    toolPath: z.string(),
    input: z.unknown(),
    preview: approvalPreviewSchema,
    /** What the user said last before it was asked, cut if it is long. */
    prompt: z.string().optional(),
    bindingHash: sha256Schema,
    expiresAt: timestampSchema.optional(),
    /** Present when the question is whether a call took effect that was running when Deputy stopped. */
    unknownCall: callId.optional(),
    /** How often Deputy died while that call ran, when that was more than once. */
    deaths: z.int().min(2).optional(),
    /** Present when a running call asks something. The answer may have a result, which the call then gets. */
    askedBy: callId.optional(),
    /** What the result of a yes must fit, and what counts for the fields that it does not name. */
    form: answerFormSchema.optional(),
    /** Whose journal takes the answer, when that may hold more than an event should; of a plan, whose it is. */
    cellId: idSchema("cell").optional(),
    inputHash: sha256Schema.optional(),
    /** The hash of what else a yes is about, besides the input; see `circumstances` of a tool. */
    circumstances: sha256Schema.optional(),
    ...reachSchema,
    /** Only for a plan: exactly what it asks for. */
    calls: z.array(plannedCallSchema).optional(),
  }),
  "approval.resolved": z.object({
    approvalId: approvalIdSchema,
    decision: decisionSchema,
    by: z.string(),
    scope: scopeSchema,
    reason: z.string().optional(),
    /** Only for a plan: the approved calls, if not all were approved. */
    calls: z.array(callId).optional(),
    result: knownResultSchema.optional(),
    /** Nobody answered in time. */
    isExpired: z.literal(true).optional(),
  }),
  "call.started": z.object({ callId, toolPath: z.string(), idempotencyKey: z.string() }),
  "call.progress": z.object({ callId, toolPath: z.string(), message: z.string() }),
  "call.settled": z.object({
    callId,
    cellId: idSchema("cell").optional(),
    toolPath: z.string(),
    status: callStatusSchema,
    preview: z.string().optional(),
    error: callFailureSchema.optional(),
    attachments: z.array(attachmentSchema),
    labels: z.array(labelSchema),
    durationMs: z.number().nonnegative(),
  }),
  "plan.proposed": z.object({
    planId: idSchema("plan"),
    cellId: idSchema("cell"),
    calls: z.array(
      z.object({
        callId: callId.optional(),
        toolPath: z.string(),
        input: z.unknown(),
        inputHash: sha256Schema,
      }),
    ),
    /** Further calls that were foreseen, but not with what: that depends on results. */
    unforeseen: z.int().nonnegative().optional(),
  }),
  "grant.created": z.object({
    grantId: idSchema("grant"),
    scope: scopeSchema,
    bindings: z.array(bindingSchema),
    /** Present on the grant of a plan: each binding allows one call of its cell. */
    planId: idSchema("plan").optional(),
    expiresAt: timestampSchema.optional(),
    /** What was on the card, in one line, so that people recognise what they allowed: `bash.run: Run npm test`. */
    title: z.string().optional(),
    /** The values that were on it, or the calls of a plan, one on each line. */
    lines: z.array(z.string()).optional(),
  }),
  "grant.revoked": z.object({ grantId: idSchema("grant"), by: z.string() }),
} as const;
