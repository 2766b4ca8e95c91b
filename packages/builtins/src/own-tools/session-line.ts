import { z } from "zod";

/** A line of a session, as a program sees it. Whoever said it, to the program it is somebody else's word. */
export const sessionLineSchema = z.object({
  seq: z.int(),
  at: z.string(),
  kind: z.enum(["user", "assistant", "tool_use", "tool_result", "note"]),
  text: z.string(),
  toolPath: z.string().optional(),
});
export type SessionLine = z.infer<typeof sessionLineSchema>;
