import { z } from "zod";
import { streamIdSchema } from "./canonical-event.ts";
import { idSchema, timestampSchema } from "./events/shared.ts";
import { taskKindSchema } from "./events/task-events.ts";

/** Body of `POST /api/tasks`. */
export const createTaskSchema = z.strictObject({
  prompt: z.string().regex(/\S/, "is blank").max(100_000),
  kind: taskKindSchema.optional(),
  schedule: z.string().optional(),
  sessionKey: z.string().optional(),
  agentId: z.string().optional(),
  requesterId: z.string().optional(),
  channelId: z.string().optional(),
  budget: z
    .strictObject({
      tokens: z.int().positive().optional(),
      calls: z.int().positive().optional(),
      seconds: z.number().positive().optional(),
    })
    .optional(),
});
export type CreateTask = z.infer<typeof createTaskSchema>;

export const taskStatusSchema = z.enum(["running", "waiting", "succeeded", "failed", "cancelled"]);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

export const taskSchema = z.object({
  id: idSchema("task"),
  kind: taskKindSchema,
  status: taskStatusSchema,
  prompt: z.string(),
  agentId: z.string(),
  /** The task's own session: the stream that holds everything it did. */
  stream: streamIdSchema,
  createdAt: timestampSchema,
});
export type Task = z.infer<typeof taskSchema>;
