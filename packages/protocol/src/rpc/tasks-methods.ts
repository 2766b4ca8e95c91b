import { z } from "zod";
import { idSchema } from "../events/shared.ts";
import { createTaskSchema, taskSchema } from "../wire/task.ts";
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
  "tasks.cancel": method("Cancels a task", z.strictObject({ taskId }), taskSchema),
} as const;
