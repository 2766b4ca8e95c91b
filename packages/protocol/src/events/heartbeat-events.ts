import { z } from "zod";
import { idSchema, sha256Schema } from "./shared.ts";

export const heartbeatEvents = {
  /** Something that an agent is to hear of soon: it waits for a heartbeat. */
  "system.noted": z.object({
    /** What no other one has. */
    ref: z.string(),
    source: z.enum(["exec", "cron"]),
    text: z.string(),
    /** Whose it is; absent for what belongs to no session. */
    session: idSchema("session").optional(),
    agentId: z.string().optional(),
  }),
  /** Before the message that begins the heartbeat's turn, which is this event's turn. */
  "heartbeat.began": z.object({
    kind: z.enum(["standard", "exec", "cron"]),
    agentId: z.string(),
    /** Those that it is about: they wait no more. */
    refs: z.array(z.string()),
    /** What it was looked at: HEARTBEAT.md, and how each check stood. */
    seen: z.object({ instructions: sha256Schema, checks: z.record(z.string(), z.string()) }).optional(),
  }),
  /** No model was asked. Of one that was due, not written again while the reason stays the same. */
  "heartbeat.skipped": z.object({
    agentId: z.string(),
    reason: z.string(),
    /** Those that it was about: they wait no more. */
    refs: z.array(z.string()).optional(),
  }),
  "heartbeat.ended": z.object({
    turn: idSchema("turn"),
    /** `silent`: there was nothing to tell; `untold`: its turn did not come to an answer. */
    outcome: z.enum(["told", "silent", "untold"]),
    /** The reference of the delivered notification. */
    messageRef: z.string().optional(),
  }),
} as const;
