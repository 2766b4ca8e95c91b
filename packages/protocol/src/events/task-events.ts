import { z } from "zod";
import { programLanguageSchema, programWriterSchema } from "./cell-events.ts";
import { idSchema, timestampSchema } from "./shared.ts";

export const taskKindSchema = z.enum(["one-shot", "recurring", "event"]);
const taskOutcomeSchema = z.enum(["succeeded", "failed", "cancelled"]);

const taskId = idSchema("task");

export const taskEvents = {
  "task.created": z.object({
    taskId,
    kind: taskKindSchema,
    prompt: z.string(),
    agentId: z.string(),
    schedule: z.string().optional(),
    sessionKey: z.string().optional(),
    requesterId: z.string().optional(),
    channelId: z.string().optional(),
    /** Plugin files whose code was loaded for this task. */
    plugins: z.array(z.string()).optional(),
    /** Present when the task is a program: its text is in the journal of that cell. */
    program: z
      .object({
        cellId: idSchema("cell"),
        language: programLanguageSchema,
        writtenBy: programWriterSchema.optional(),
      })
      .optional(),
  }),
  "task.scheduled": z.object({ taskId, dueAt: timestampSchema }),
  "task.fired": z.object({ taskId, dueAt: timestampSchema, reason: z.string() }),
  "task.skipped": z.object({ taskId, dueAt: timestampSchema, reason: z.string() }),
  "task.cancelled": z.object({ taskId, by: z.string() }),
  "task.completed": z.object({ taskId, outcome: taskOutcomeSchema }),
} as const;
