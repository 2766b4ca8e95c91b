import { z } from "zod";

/** Every error of the REST routes: `application/problem+json` (RFC 9457) with a stable `code`. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().optional(),
  hint: z.string().optional(),
});
export type Problem = z.infer<typeof problemSchema>;
