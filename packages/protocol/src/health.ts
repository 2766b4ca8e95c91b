import { z } from "zod";

/** Body of `GET /health`. */
export const healthSchema = z.object({ status: z.literal("ok"), version: z.string() });
