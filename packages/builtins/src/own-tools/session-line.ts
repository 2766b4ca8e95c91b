import { z } from "zod";

/**
 * A line of a session, as a program sees it. To the program it always counts as someone else's text, also if the user
 * wrote it.
 */
export const sessionLineSchema = z.object({
  seq: z.int(),
  at: z.string(),
  kind: z.enum(["user", "assistant", "tool_use", "tool_result", "note"]),
  text: z.string(),
  toolPath: z.string().optional(),
});
export type SessionLine = z.infer<typeof sessionLineSchema>;
