import { z } from "zod";
import { streamIdSchema } from "../canonical-event.ts";
import { method } from "./rpc-method.ts";

const stream = streamIdSchema;
const seq = z.int().nonnegative();

export const eventsMethods = {
  "events.subscribe": method(
    "Everything in a stream after `after` (0 unless given), then live, as `event` pushes and what they mean; asked again, it begins anew from there",
    z.strictObject({ stream, after: seq.optional() }),
    z.object({ stream, after: seq, head: seq }),
  ),
  "events.unsubscribe": method(
    "Ends that; `ok` is false when there was nothing to end",
    z.strictObject({ stream }),
    z.object({ ok: z.boolean() }),
  ),
} as const;
