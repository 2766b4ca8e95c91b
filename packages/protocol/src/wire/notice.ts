import { z } from "zod";
import { streamIdSchema } from "../canonical-event.ts";
import { timestampSchema } from "../events/shared.ts";

/** Something that Deputy told its owner unasked. */
export const noticeSchema = z.object({
  at: timestampSchema,
  /** Who says it, as people are shown it. */
  from: z.string(),
  text: z.string(),
  /** The session that it was told in. */
  stream: streamIdSchema,
});
export type Notice = z.infer<typeof noticeSchema>;

/** Body of `GET /api/notices`: the newest first. */
export const noticeListSchema = z.object({ notices: z.array(noticeSchema) });
