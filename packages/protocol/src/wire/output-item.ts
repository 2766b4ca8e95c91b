import { z } from "zod";
import { callStatusSchema } from "../events/call-events.ts";
import { operationSchema } from "../events/cell-events.ts";
import { failureSchema } from "../events/shared.ts";

/** Only text is ever shown while it is being written; every other item appears whole. */
const itemStatusSchema = z.enum(["in_progress", "completed"]);

const id = z.string();
const written = { id, status: itemStatusSchema, text: z.string() };

export const outputItemSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), role: z.enum(["user", "assistant"]), ...written }),
  z.object({ type: z.literal("reasoning"), ...written }),
  z.object({
    type: z.literal("function_call"),
    id,
    call_id: z.string(),
    name: z.string(),
    arguments: z.unknown(),
  }),
  z.object({
    type: z.literal("function_call_output"),
    id,
    call_id: z.string(),
    status: callStatusSchema,
    output: z.string(),
  }),
  z.object({ type: z.literal("script_execution"), id, language: z.string(), code: z.string() }),
  z.object({
    type: z.literal("script_execution_output"),
    id,
    /** The `id` of the `script_execution` it answers. */
    call_id: z.string(),
    result: z.unknown(),
    logs: z.array(z.string()),
    operations: z.array(operationSchema),
    error: failureSchema.nullable(),
  }),
  z.object({ type: z.literal("error"), id, code: z.string(), message: z.string() }),
]);

/** One thing a run brought forth, in the vocabulary of design 002. */
export type OutputItem = z.infer<typeof outputItemSchema>;
export type OutputItemType = OutputItem["type"];
export const outputItemTypes = outputItemSchema.options.map((option) => option.shape.type.value);
