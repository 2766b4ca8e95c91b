import { z } from "zod";
import { callFailureSchema, callStatusSchema } from "../events/call-events.ts";
import { diagnosticSchema } from "../events/cell-events.ts";
import { failureSchema, idSchema, timestampSchema } from "../events/shared.ts";
import { taskSchema } from "./task.ts";

/** The result of an ended task. */
const taskEndSchema = z.object({
  /** What the assistant said last. */
  message: z.string().optional(),
  /** Why it did not succeed. */
  error: failureSchema.optional(),
  /** What the user's own program returned; this and what follows is there for a program's task only. */
  result: z.unknown().optional(),
  /** Not empty: it did not typecheck, and nothing ran. */
  diagnostics: z.array(diagnosticSchema).optional(),
  logs: z.array(z.string()).optional(),
  /** Its calls in the order they were made; inputs and results as the log keeps them, redacted and bounded. */
  receipts: z
    .array(
      z.object({
        callId: idSchema("call"),
        toolPath: z.string(),
        status: callStatusSchema,
        durationMs: z.number().nonnegative(),
        input: z.unknown(),
        result: z.unknown().optional(),
        error: callFailureSchema.optional(),
      }),
    )
    .optional(),
});
export type TaskEnd = z.infer<typeof taskEndSchema>;
export type TaskReceipt = NonNullable<TaskEnd["receipts"]>[number];

/** When a task that runs later does so. */
const taskPlanSchema = z.object({
  /** In words. */
  runs: z.string().optional(),
  /** The next due times; empty if they are not known. */
  next: z.array(timestampSchema).optional(),
  /** The zone of its schedule, where it has one. */
  zone: z.string().optional(),
});

/** Body of `GET /api/tasks/:id`: the task, when it runs, and its result once it has ended. */
export const taskDetailSchema = z.object({
  ...taskSchema.shape,
  ...taskPlanSchema.shape,
  ...taskEndSchema.shape,
});
export type TaskDetail = z.infer<typeof taskDetailSchema>;

/** Something that a task did, or that happened to it, in words. */
export const storyLineSchema = z.object({
  at: timestampSchema,
  /** `run` begins a run, or says why there was none; what follows belongs to it. */
  kind: z.enum(["task", "run", "step"]),
  text: z.string(),
  /** Of a run, and of one that did not happen. */
  slot: z
    .object({
      how: z.enum(["ran", "skipped"]),
      dueAt: timestampSchema,
      /** It stands for this many times, until this one. */
      untilAt: timestampSchema.optional(),
      count: z.int().optional(),
      reason: z.string(),
      /** Its place in the task's own conversation. */
      seq: z.int(),
    })
    .optional(),
});
export type StoryLine = z.infer<typeof storyLineSchema>;

/** Body of `GET /api/tasks/:id/history`: the newest lines, the oldest of them first. */
export const taskStorySchema = z.object({ lines: z.array(storyLineSchema) });
