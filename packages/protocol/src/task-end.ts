import { z } from "zod";
import { callStatusSchema } from "./events/call-events.ts";
import { diagnosticSchema } from "./events/cell-events.ts";
import { failureSchema, idSchema } from "./events/shared.ts";
import { taskSchema } from "./task.ts";

/** What came of a task that has ended. */
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
        error: failureSchema.optional(),
      }),
    )
    .optional(),
});
export type TaskEnd = z.infer<typeof taskEndSchema>;
export type TaskReceipt = NonNullable<TaskEnd["receipts"]>[number];

/** Body of `GET /api/tasks/:id`: the task, and once it has ended what came of it. */
export const taskDetailSchema = z.object({ ...taskSchema.shape, ...taskEndSchema.shape });
export type TaskDetail = z.infer<typeof taskDetailSchema>;
