import { z } from "zod";

/** When something is due: at the times of a cron expression, once, or again and again. */
export const scheduleSchema = z.union([
  z.object({
    cron: z.string().min(1).max(200).describe("Five fields, such as 0 9 * * 1-5"),
    timeZone: z.string().max(100).optional().describe("Such as Europe/Vienna; default the machine's"),
  }),
  z.object({ at: z.iso.datetime({ offset: true }).describe("Once, then") }),
  z.object({ everyMs: z.int().min(60_000) }),
]);
