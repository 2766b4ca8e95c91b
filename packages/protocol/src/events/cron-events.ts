import { z } from "zod";
import { scheduleSchema } from "../schedule.ts";
import { idSchema, timestampSchema } from "./shared.ts";

const reminderId = idSchema("reminder");
const slot = { reminderId, dueAt: timestampSchema, reason: z.string() } as const;

/** Reminders that agents set. All are in the stream of what belongs to no session. */
export const cronEvents = {
  "cron.added": z.object({
    reminderId,
    name: z.string(),
    /** A model wrote the text, so it does not count as the user's words. */
    text: z.string(),
    schedule: scheduleSchema,
    agentId: z.string(),
    /** The session in which it was set. */
    from: z.string(),
  }),
  /** What is absent stays as it was. */
  "cron.updated": z.object({
    reminderId,
    name: z.string().optional(),
    text: z.string().optional(),
    schedule: scheduleSchema.optional(),
    isEnabled: z.boolean().optional(),
  }),
  "cron.removed": z.object({ reminderId, from: z.string() }),
  "cron.fired": z.object(slot),
  "cron.skipped": z.object({
    ...slot,
    /** The event covers this many slots; the last one was due at this time. */
    count: z.int().min(2).optional(),
    untilAt: timestampSchema.optional(),
  }),
} as const;
