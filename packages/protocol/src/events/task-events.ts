import { z } from "zod";
import { scheduleSchema } from "../schedule.ts";
import { programLanguageSchema, programWriterSchema } from "./cell-events.ts";
import { idSchema, timestampSchema } from "./shared.ts";

export const taskKindSchema = z.enum(["one-shot", "recurring", "event"]);
export const taskOutcomeSchema = z.enum(["succeeded", "failed", "cancelled"]);

const taskId = idSchema("task");
/** What a task may take each time it runs. */
export const taskBudgetSchema = z.strictObject({
  tokens: z.int().positive().optional(),
  /** Dollars. */
  money: z.number().positive().optional(),
  calls: z.int().positive().optional(),
  seconds: z.number().positive().optional(),
});
const slot = {
  taskId,
  /** When it was due, or when it was reported. */
  dueAt: timestampSchema,
  reason: z.string(),
  /** The stream of what was reported, which made it due. */
  delivery: z.templateLiteral(["delivery:", z.string()]).optional(),
} as const;

export const taskEvents = {
  "task.created": z.object({
    taskId,
    kind: taskKindSchema,
    prompt: z.string(),
    agentId: z.string(),
    /** Text is what earlier versions wrote, which ran none of them. */
    schedule: z.union([scheduleSchema, z.string()]).optional(),
    /** Whose reports make it run, and the fields that they must have. */
    trigger: z.object({ hook: z.string(), filter: z.record(z.string(), z.unknown()).optional() }).optional(),
    budget: taskBudgetSchema.optional(),
    /** A model wrote the prompt, so it does not count as the user's words. */
    writtenBy: programWriterSchema.optional(),
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
  /** It runs: what it does is the turn. */
  "task.fired": z.object({
    ...slot,
    firingId: z.string().optional(),
    turnId: idSchema("turn").optional(),
    /** What ran before it is stopped for it. */
    replaces: z.literal(true).optional(),
    /** Who asked for it to run now: it is no slot of its schedule. */
    by: z.string().optional(),
  }),
  "task.skipped": z.object({
    ...slot,
    /** The event covers this many slots; the last one was due at this time. */
    count: z.int().min(2).optional(),
    untilAt: timestampSchema.optional(),
  }),
  /** Until it is resumed, what is due is skipped. */
  "task.paused": z.object({ taskId, by: z.string() }),
  "task.resumed": z.object({ taskId, by: z.string() }),
  /** What is named here counts from the next run on. */
  "task.edited": z.object({
    taskId,
    by: z.string(),
    prompt: z.string().optional(),
    schedule: scheduleSchema.optional(),
    /** Only with a schedule: its times after this one are due. */
    fromAt: timestampSchema.optional(),
  }),
  "task.cancelled": z.object({ taskId, by: z.string() }),
  "task.completed": z.object({ taskId, outcome: taskOutcomeSchema }),
} as const;
