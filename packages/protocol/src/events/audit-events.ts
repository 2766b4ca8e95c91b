import { z } from "zod";
import { approvalIdSchema } from "./call-events.ts";

const auth = z.object({
  who: z.string(),
  from: z.string(),
  /** The route by which it came. */
  route: z.string(),
  /** How it was shown who it is. */
  how: z.string().optional(),
  /** What the client calls itself: a claim, nothing more. */
  client: z.string().optional(),
  reason: z.string().optional(),
  /** Others like it, since the last one, that have no event of their own. */
  unrecorded: z.int().positive().optional(),
});
const outbox = z.object({
  channel: z.string(),
  conversation: z.string(),
  /** The key under which it was told: the same one is sent once. */
  messageRef: z.string(),
  /** Only for a message that still has to be sent: its text and its sender. */
  text: z.string().optional(),
  from: z.string().optional(),
  providerId: z.string().optional(),
  reason: z.string().optional(),
  /** It says that this question waits. */
  asks: approvalIdSchema.optional(),
});

export const auditEvents = {
  "auth.accepted": auth,
  "auth.rejected": auth,
  "net.request": z.object({
    method: z.string(),
    host: z.string(),
    status: z.int().optional(),
    requestBytes: z.int(),
    responseBytes: z.int(),
    durationMs: z.number(),
    verdict: z.enum(["allow", "deny"]),
    /** Why it was denied, or failed. */
    reason: z.string().optional(),
    /** Every name; values only of headers that hold nothing of anybody. */
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** A command ran on the machine, or a script in a sandbox: what it saw, what it might have, what it was kept from. */
  "sandbox.ran": z.object({
    what: z.enum(["command", "script"]),
    /** Its beginning; the call that ran it has all of it. */
    line: z.string(),
    session: z.string().optional(),
    /** The sandbox's name, or `none`. */
    sandbox: z.string(),
    /** What of this machine it saw besides the system, and under which names. Without a sandbox: everything. */
    mounted: z.array(z.object({ from: z.string(), at: z.string(), access: z.enum(["read", "write"]) })),
    network: z.enum(["none", "host"]),
    limits: z.object({
      cpuMs: z.number(),
      memoryBytes: z.number(),
      processes: z.int(),
      fileBytes: z.number(),
    }),
    exitCode: z.int(),
    durationMs: z.number(),
    denied: z.array(z.string()),
  }),
  /** The owner has changed what Deputy is made of. To what is not said: it may be a secret. */
  "setup.changed": z.object({
    by: z.string(),
    what: z.enum(["setting", "model", "document", "source", "sign_in", "daemon", "hook"]),
    name: z.string(),
  }),
  "outbox.queued": outbox,
  "outbox.sent": outbox,
  "outbox.failed": outbox,
  /** Quiet hours: it waits for their end. */
  "outbox.held": outbox,
  /** These no longer wait; what they say is sent. */
  "outbox.released": z.object({ messageRefs: z.array(z.string()) }),
} as const;
