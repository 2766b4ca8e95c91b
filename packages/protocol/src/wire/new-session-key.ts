import { z } from "zod";

/** What finds a session: safe as a file's name, and of no more characters than that takes. */
export const newSessionKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9._~-]+$/, "has characters that no key has")
  .max(500);
