import { z } from "zod";
import { timestampSchema } from "./events/shared.ts";

/** A turn takes longer than this. */
const SHORTEST_INTERVAL_MS = 1_000;
const LONGEST_INTERVAL_MS = 3_660 * 86_400_000;
const LONGEST_CATCH_UP_MS = 3_660 * 86_400_000;
const LONGEST_JITTER_MS = 3_600_000;
/** So many of the slots that were missed may be made up for at once. */
const MOST_CAUGHT_UP = 100;

const zone = z.string().min(1).max(100).describe("An IANA time zone, such as Europe/Vienna");
const expression = z.string().min(1).max(200).describe("Five fields, such as 0 9 * * 1-5");
const everyMs = z.int().min(SHORTEST_INTERVAL_MS).max(LONGEST_INTERVAL_MS);
const max = z.int().min(1).max(MOST_CAUGHT_UP);

const policyFields = {
  /** What happens to missed slots: the newest runs, none runs, or the newest `max` run. */
  misfire: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("once") }),
    z.object({ kind: z.literal("skip") }),
    z.object({ kind: z.literal("all"), max }),
  ]),
  /** A slot that was missed by more than this is never made up for. */
  catchUpMs: z.int().min(0).max(LONGEST_CATCH_UP_MS),
  /**
   * What happens to a slot that is due while the task is still running: it is skipped, it waits, or the
   * running one is cancelled.
   */
  overlap: z.enum(["skip", "queue", "cancel"]),
  /** A slot is due up to so much later, the same for the same task and slot. */
  jitterMs: z.int().min(0).max(LONGEST_JITTER_MS),
} as const;

/** When a task is due, and what happens to slots that pass unseen. Nothing in it is left to a default. */
export const scheduleSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("cron"), expression, zone, ...policyFields }),
  /** Exact elapsed time from the anchor, whatever clocks and zones do; without one, from when it was created. */
  z.object({ kind: z.literal("every"), everyMs, anchorAt: timestampSchema.optional(), ...policyFields }),
  /** The zone is that of the words in which it is described. */
  z.object({ kind: z.literal("at"), at: timestampSchema, zone: zone.optional(), ...policyFields }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;

const policyInput = {
  misfire: z
    .union([
      z.strictObject({ kind: z.enum(["once", "skip"]) }),
      z.strictObject({ kind: z.literal("all"), max: max.optional() }),
    ])
    .optional()
    .describe("What to do about times that were missed; default once: only the newest"),
  catchUpMs: policyFields.catchUpMs.optional().describe("Older ones are never made up for; default a day"),
  overlap: policyFields.overlap.optional().describe("When the one before still runs; default skip"),
  jitterMs: policyFields.jitterMs.optional().describe("Due up to so much later; default 0"),
} as const;

/** The same without the words: said once, they need not be read again. */
const { misfire, catchUpMs, overlap, jitterMs } = policyInput;
const policyAgain = {
  misfire: misfire.describe(""),
  catchUpMs: catchUpMs.describe(""),
  overlap: overlap.describe(""),
  jitterMs: jitterMs.describe(""),
} as const;

/** How a schedule is written as text. */
export const SCHEDULE_TEXTS =
  "Text such as: 0 9 * * 1-5 Europe/Vienna; weekdays at 17:30; every monday at 9; every 30m; at 2026-12-01T09:00";

/** A schedule as it is typed, or as a program writes it: for `parseSchedule`. A canonical one fits too. */
export const scheduleInputSchema = z.union([
  z.string().min(1).max(300).describe(SCHEDULE_TEXTS),
  z.strictObject({
    kind: z.literal("cron"),
    expression,
    zone: zone.optional().describe("Default the user's zone"),
    ...policyInput,
  }),
  z.strictObject({
    kind: z.literal("every"),
    everyMs,
    anchorAt: timestampSchema.optional().describe("Counted from then; default now"),
    ...policyAgain,
  }),
  z.strictObject({
    kind: z.literal("at"),
    at: z
      .string()
      .min(1)
      .max(40)
      .describe("Once, then: 2026-12-01T09:00, in the zone unless it ends in Z or an offset"),
    zone: zone.optional().describe("Default the user's zone"),
    ...policyAgain,
  }),
]);
export type ScheduleInput = z.infer<typeof scheduleInputSchema>;
