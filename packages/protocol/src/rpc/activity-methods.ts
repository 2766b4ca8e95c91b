import { z } from "zod";
import { streamIdSchema } from "../canonical-event.ts";
import { idSchema, timestampSchema } from "../events/shared.ts";
import { auditFilterSchema, auditPageSchema } from "../wire/audit.ts";
import { method } from "./rpc-method.ts";

const nothing = z.strictObject({});
const ok = z.object({ ok: z.literal(true) });
const reminderId = idSchema("reminder");

const delivery = z.object({
  at: timestampSchema,
  deliveryId: z.string(),
  event: z.string().optional(),
  bytes: z.int().nonnegative(),
});

/** Something outside that reports events: a webhook, a mailbox or a folder. */
const watchedSchema = z.object({
  name: z.string(),
  kind: z.enum(["hook", "mailbox", "folder"]),
  /** In words: where it is, or how it is signed. */
  about: z.string(),
  /** `ok`: it is watched; absent for a hook, which others call. */
  state: z
    .object({
      kind: z.enum(["ok", "connecting", "failed"]),
      text: z.string(),
      /** When it is tried again. */
      retryAt: timestampSchema.optional(),
    })
    .optional(),
  /** The newest first. */
  deliveries: z.array(delivery),
});

const reminderSchema = z.object({
  id: reminderId,
  name: z.string(),
  text: z.string(),
  agentId: z.string(),
  isEnabled: z.boolean(),
  /** When it is due, in words. */
  runs: z.string(),
  nextAt: timestampSchema.optional(),
});

const heartbeatSchema = z.object({
  /** False: the settings switch it off. */
  isEnabled: z.boolean(),
  everyMinutes: z.number(),
  pausedAt: timestampSchema.optional(),
  lastAt: timestampSchema.optional(),
  last: z
    .object({
      at: timestampSchema,
      agentId: z.string(),
      outcome: z.enum(["told", "silent", "untold"]),
      stream: streamIdSchema,
      text: z.string().optional(),
    })
    .optional(),
  /** Why no model was asked, by agent. */
  skipped: z.array(z.object({ agentId: z.string(), reason: z.string() })),
});

const hookAddress = z.object({
  path: z.string(),
  /** Where others reach this daemon, if the hook says so. */
  publicUrl: z.string().optional(),
  secret: z.string().optional(),
});

export const activityMethods = {
  "background.list": method(
    "What makes agents act by themselves besides tasks: hooks, mailboxes, folders, reminders, the heartbeat",
    nothing,
    z.object({
      watched: z.array(watchedSchema),
      reminders: z.array(reminderSchema),
      heartbeat: heartbeatSchema,
    }),
  ),
  "heartbeat.pause": method("Stops looking at HEARTBEAT.md until it is resumed", nothing, ok),
  "heartbeat.resume": method("Looks at HEARTBEAT.md again", nothing, ok),
  "reminders.switch": method(
    "Switches a reminder on or off",
    z.strictObject({ reminderId, isEnabled: z.boolean() }),
    ok,
  ),
  "reminders.remove": method("Removes a reminder", z.strictObject({ reminderId }), ok),
  "hooks.add": method(
    "Makes a hook: an address where another system may report events. Address and secret are in this answer and never again",
    z.strictObject({ name: z.string().min(1).max(200), scheme: z.enum(["standard", "github", "none"]) }),
    hookAddress,
  ),
  "hooks.renew": method(
    "Gives a hook another address and, where Deputy made it, another secret. They are in this answer and never again",
    z.strictObject({ name: z.string().min(1).max(200) }),
    hookAddress,
  ),
  "hooks.remove": method(
    "Removes a hook: reports to its address are refused, and tasks that run for them run no more. Earlier ones stay",
    z.strictObject({ name: z.string().min(1).max(200) }),
    ok,
  ),
  "audit.list": method(
    "What is in the log, the newest first. `cursor` continues; a page may be short, or empty, when little fits",
    z.strictObject({
      ...auditFilterSchema.shape,
      cursor: z.string().max(100).optional(),
      limit: z.int().min(1).max(200).optional(),
    }),
    auditPageSchema,
  ),
  "audit.verify": method(
    "How far the verification of the log is; `start` begins one unless one runs",
    z.strictObject({ start: z.boolean().optional() }),
    z.object({
      state: z.enum(["none", "running", "done"]),
      /** Verified so far, and in all. */
      events: z.int().nonnegative(),
      total: z.int().nonnegative(),
      endedAt: timestampSchema.optional(),
      /** Empty: every hash holds. */
      problems: z.array(z.object({ message: z.string(), todo: z.string() })),
    }),
  ),
} as const;
