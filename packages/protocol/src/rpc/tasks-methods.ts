import { z } from "zod";
import { idSchema, timestampSchema } from "../events/shared.ts";
import { scheduleInputSchema, scheduleSchema } from "../schedule.ts";
import { noticeListSchema } from "../wire/notice.ts";
import { createTaskSchema, editTaskSchema, taskSchema } from "../wire/task.ts";
import { taskDetailSchema, taskStorySchema } from "../wire/task-end.ts";
import { method } from "./rpc-method.ts";

const taskId = idSchema("task");

export const tasksMethods = {
  "tasks.create": method("Creates a task", createTaskSchema, taskSchema),
  "tasks.list": method(
    "All tasks, the newest first",
    z.strictObject({}),
    z.object({ tasks: z.array(taskSchema) }),
  ),
  "tasks.get": method(
    "A task, when it runs, and once it has ended what came of it",
    z.strictObject({ taskId }),
    taskDetailSchema,
  ),
  "tasks.history": method(
    "What a task has been through, in words",
    z.strictObject({ taskId }),
    taskStorySchema,
  ),
  "tasks.preview": method(
    "When a schedule would run, in words, and the next times; nothing is created",
    z.strictObject({
      schedule: scheduleInputSchema,
      /** The zone that is meant where the words name none: the reader's. */
      zone: z.string().min(1).max(100).optional(),
      count: z.int().min(1).max(10).optional(),
    }),
    z.object({ runs: z.string(), next: z.array(timestampSchema), schedule: scheduleSchema }),
  ),
  "notices.list": method(
    "What Deputy told its owner unasked, the newest first",
    z.strictObject({}),
    noticeListSchema,
  ),
  "tasks.pause": method(
    "Pauses a task: what is due is skipped until it is resumed",
    z.strictObject({ taskId }),
    taskSchema,
  ),
  "tasks.resume": method("Resumes a paused task", z.strictObject({ taskId }), taskSchema),
  "tasks.run": method("Runs a task now, besides its schedule", z.strictObject({ taskId }), taskSchema),
  "tasks.edit": method(
    "Changes what a task does, or when; it counts from the next run on",
    z.strictObject({ taskId, ...editTaskSchema.shape }),
    taskSchema,
  ),
  "tasks.cancel": method("Cancels a task", z.strictObject({ taskId }), taskSchema),
} as const;
