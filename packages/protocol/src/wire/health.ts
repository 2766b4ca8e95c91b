import { z } from "zod";

/** Body of `GET /health`. */
export const healthSchema = z.object({
  /** `failing`: it answers, and can be read, but nothing new is kept; `problem` says why. */
  status: z.enum(["ok", "failing"]),
  version: z.string(),
  problem: z.object({ code: z.string(), title: z.string(), hint: z.string().optional() }).optional(),
});
export type Health = z.infer<typeof healthSchema>;
