import { z } from "zod";
import { costSchema, idSchema, timestampSchema, usageSchema } from "../events/shared.ts";
import { responseSchema } from "./response.ts";
import { outputItemSchema, outputItemTypes } from "./output-item.ts";

const itemId = z.string();

const streamPayloadSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response_start"), agent_id: z.string(), model: z.string() }),
  z.object({ type: z.literal("item_start"), item_id: itemId, item_type: z.enum(outputItemTypes) }),
  /** `offset` is where `text` begins in the item's whole text, in UTF-16 units. */
  z.object({
    type: z.literal("item_delta"),
    item_id: itemId,
    offset: z.int().nonnegative(),
    text: z.string(),
  }),
  z.object({ type: z.literal("item_done"), item_id: itemId, final_item: outputItemSchema }),
  z.object({
    type: z.literal("response_done"),
    usage: usageSchema,
    cost: costSchema.nullable(),
    /** The run as a whole; a stream of its events has it. */
    response: responseSchema.optional(),
  }),
  z.object({
    type: z.literal("response_error"),
    status: z.enum(["failed", "aborted"]),
    error: z.object({ code: z.string(), message: z.string() }),
    usage: usageSchema.nullable(),
  }),
]);
export type StreamPayload = z.infer<typeof streamPayloadSchema>;

/** What `GET /api/v2/stream/:runId` streams. */
export const streamEventSchema = z.object({
  /** The same for the same happening, live or replayed. */
  event_id: z.string(),
  run_id: idSchema("turn"),
  /** The canonical event's; null for what is never stored (deltas). */
  seq: z.int().positive().nullable(),
  at: timestampSchema,
  trace: z.object({ thread_id: z.string() }),
  payload: streamPayloadSchema,
});
export type StreamEvent = z.infer<typeof streamEventSchema>;
