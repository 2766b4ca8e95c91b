import { z } from "zod";
import { streamIdSchema } from "../canonical-event.ts";
import { LARGEST_PROGRAM_CHARS, programLanguageSchema, programWriterSchema } from "../events/cell-events.ts";
import { idSchema, timestampSchema } from "../events/shared.ts";
import { scheduleInputSchema } from "../schedule.ts";
import { taskBudgetSchema, taskKindSchema, taskOutcomeSchema } from "../events/task-events.ts";

/** What finds a session: safe as a file's name, and of no more characters than that takes. */
export const newSessionKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9._~-]+$/, "has characters that no key has")
  .max(500);

/** A program to run as a task. It is the user's own unless it names another author. */
const programSchema = z.strictObject({
  code: z.string().max(LARGEST_PROGRAM_CHARS),
  /** `javascript` is not typechecked. */
  language: programLanguageSchema,
  /** A model wrote it, not the user: nothing in it counts as the user's word. */
  writtenBy: programWriterSchema.optional(),
  /** Plugin files for this task only, besides the daemon's own tools. Loading one runs its code. */
  plugins: z
    .array(
      z
        .string()
        .regex(/^(?:\/|[A-Za-z]:[\\/])/, "is not an absolute path")
        .max(4_096),
    )
    .max(20)
    .optional(),
});
export type Program = z.infer<typeof programSchema>;

/** Body of `POST /api/tasks`: a prompt, or a program (a prompt beside it is its title). */
export const createTaskSchema = z.strictObject({
  prompt: z.string().regex(/\S/, "is blank").max(100_000).optional(),
  program: programSchema.optional(),
  kind: taskKindSchema.optional(),
  schedule: scheduleInputSchema.optional(),
  sessionKey: newSessionKeySchema.optional(),
  agentId: z.string().optional(),
  requesterId: z.string().optional(),
  channelId: z.string().optional(),
  /** Only for kind event: the hook, mailbox or folder that it waits for. */
  hook: z.string().min(1).max(200).optional(),
  /** Fields that a report must have. */
  filter: z.record(z.string(), z.unknown()).optional(),
  /** What it may take each time it runs. */
  budget: taskBudgetSchema.optional(),
});
export type CreateTask = z.infer<typeof createTaskSchema>;

export const taskStatusSchema = z.enum([
  "running",
  "waiting",
  /** Until it is due, or something is reported. */
  "scheduled",
  /** What would be due is skipped until it is resumed. */
  "paused",
  "succeeded",
  "failed",
  "cancelled",
]);
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
  /** Who asked for it and where, if its creator said so. */
  requesterId: z.string().optional(),
  channelId: z.string().optional(),
  /** When it runs next, where that is known. */
  nextAt: timestampSchema.optional(),
  /** The last time that it ran to its end: when that was due, and what came of it. Not for a task that runs at once. */
  last: z.object({ dueAt: timestampSchema, outcome: taskOutcomeSchema }).optional(),
  /** The hook, mailbox or folder whose reports it runs for. */
  hook: z.string().optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** Body of `POST /api/tasks/:id/edit`: what is absent stays. */
export const editTaskSchema = z.strictObject({
  prompt: z.string().regex(/\S/, "is blank").max(100_000).optional(),
  schedule: scheduleInputSchema.optional(),
});
export type EditTask = z.infer<typeof editTaskSchema>;

/** Body of `GET /api/tasks`. */
export const taskListSchema = z.object({ tasks: z.array(taskSchema) });
