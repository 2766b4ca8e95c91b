import { z } from "zod";
import { storedEventSchema, streamIdSchema } from "../canonical-event.ts";
import { method } from "./rpc-method.ts";

const stream = streamIdSchema;
const seq = z.int().nonnegative();

export const eventsMethods = {
  "events.subscribe": method(
    "Everything in a stream after `after` (0 unless given), then live, as `event` pushes and what they mean; asked again, it begins anew from there",
    z.strictObject({ stream, after: seq.optional() }),
    z.object({ stream, after: seq, head: seq }),
  ),
  "events.page": method(
    "The last events of a stream before `before` (its end unless given), in order: as many as asked for, and fewer when they are very long",
    z.strictObject({ stream, before: seq.optional(), limit: z.int().min(1).max(1_000).optional() }),
    z.object({ events: z.array(storedEventSchema), hasMore: z.boolean(), head: seq }),
  ),
  "changes.subscribe": method(
    "From now on, a `changed` push whenever lists of sessions, questions, grants, tasks or notifications are otherwise",
    z.strictObject({}),
    z.object({ ok: z.literal(true) }),
  ),
  "events.unsubscribe": method(
    "Ends that; `ok` is false when there was nothing to end",
    z.strictObject({ stream }),
    z.object({ ok: z.boolean() }),
  ),
} as const;
