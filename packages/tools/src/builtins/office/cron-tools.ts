import { z } from "zod";
import type { ToolTree } from "../../tool.ts";
import { notAvailableTool } from "./not-available.ts";
import { scheduleSchema } from "./schedule.ts";

const id = z.string().min(1).max(100);
const text = z.string().min(1).max(10_000).describe("What you are told when it is due");
const name = z.string().min(1).max(200);
const job = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  schedule: scheduleSchema,
  isEnabled: z.boolean(),
  nextAt: z.string().optional(),
});
const missing = {
  missing: "Reminders are",
  hint: "tasks.create runs something once, now; say plainly that nothing was scheduled.",
};

/** `tools.cron`: reminders that an agent sets itself. */
export function cronTools(): ToolTree {
  return {
    add: notAvailableTool({
      description: "Adds a reminder",
      args: z.object({ name, text, schedule: scheduleSchema }),
      returns: job,
      ...missing,
    }),
    list: notAvailableTool({
      description: "The reminders there are",
      args: z.object({}),
      returns: z.array(job),
      ...missing,
    }),
    update: notAvailableTool({
      description: "Changes a reminder",
      args: z.object({
        id,
        name: name.optional(),
        text: text.optional(),
        schedule: scheduleSchema.optional(),
        isEnabled: z.boolean().optional(),
      }),
      returns: job,
      ...missing,
    }),
    remove: notAvailableTool({
      description: "Removes a reminder",
      args: z.object({ id }),
      returns: z.object({ removed: z.boolean() }),
      ...missing,
    }),
  };
}
