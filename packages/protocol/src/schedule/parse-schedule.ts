import { type Schedule, type ScheduleInput, scheduleSchema } from "../schedule.ts";
import { normalizeCron, readCron } from "./cron-fields.ts";
import { ScheduleError } from "./schedule-error.ts";
import { readSpoken } from "./spoken-schedule.ts";
import { zoneTime } from "./zone-time.ts";

const DAY_MS = 86_400_000;
const DEFAULT_CAUGHT_UP = 10;
const LONGEST_TEXT = 300;
const LATEST_MS = Date.UTC(9999, 0);
const STAMP = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Where a schedule is said: the zone that is meant when none is, and the time. */
export interface ScheduleContext {
  readonly zone: string;
  readonly nowMs: number;
}

/** Throws `ScheduleError`. A canonical schedule comes back as it is, while its time is to come. */
export function parseSchedule(input: ScheduleInput, context: ScheduleContext): Schedule {
  const said = typeof input === "string" ? spoken(input, context) : input;
  const policies = {
    misfire: misfireOf(said.misfire),
    catchUpMs: said.catchUpMs ?? DAY_MS,
    overlap: said.overlap ?? "skip",
    jitterMs: said.jitterMs ?? 0,
  } as const;
  return checked({ ...timingOf(said, context), ...policies });
}

type ScheduleObject = Exclude<ScheduleInput, string>;

function spoken(text: string, { nowMs }: ScheduleContext): ScheduleObject {
  const said = readSpoken(text.slice(0, LONGEST_TEXT));
  if (said.kind !== "in") return said;
  return { kind: "at", at: isoAt(nowMs + said.inMs) };
}

type Timing = Schedule extends infer One ? (One extends Schedule ? Omit<One, keyof Policies> : never) : never;
type Policies = Pick<Schedule, "misfire" | "catchUpMs" | "overlap" | "jitterMs">;

function timingOf(said: ScheduleObject, context: ScheduleContext): Timing {
  if (said.kind === "every")
    return { kind: "every", everyMs: said.everyMs, anchorAt: said.anchorAt ?? isoAt(context.nowMs) };
  const { zone } = zoneTime(said.zone ?? context.zone);
  if (said.kind === "cron") {
    const expression = normalizeCron(said.expression);
    readCron(expression);
    return { kind: "cron", expression, zone };
  }
  const atMs = momentOf(said.at, zone);
  if (atMs <= context.nowMs)
    throw new ScheduleError("schedule_in_past", `${said.at} has passed (${zone})`, {
      hint: `It is ${isoAt(context.nowMs)} now; say a later time, for example in 20 minutes.`,
    });
  return { kind: "at", at: isoAt(atMs), zone };
}

/** A local time that the clocks skip is the moment at which they jump; of one that they show twice it is the first. */
function momentOf(text: string, zone: string): number {
  const [, year, month, day, hour, minute, second = "0", fraction = "", offset] =
    STAMP.exec(text.toUpperCase()) ?? [];
  const wallMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, "0")),
  );
  // Dates overflow: 30 February would be in March.
  const isReal =
    new Date(Number.isNaN(wallMs) ? 0 : wallMs)
      .toISOString()
      .startsWith(`${year}-${month}-${day}T${hour?.padStart(2, "0")}:${minute}`) && Number(second) < 60;
  if (!isReal)
    throw new ScheduleError("invalid_schedule", `${JSON.stringify(text)} is no date and time`, {
      hint: "Write 2026-12-01T09:00, or with an offset 2026-12-01T09:00:00Z.",
    });
  if (offset === undefined) return zoneTime(zone).reached(wallMs);
  if (offset === "Z") return wallMs;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  return wallMs - (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function misfireOf(said: ScheduleObject["misfire"]): Schedule["misfire"] {
  if (said === undefined) return { kind: "once" };
  return said.kind === "all" ? { kind: "all", max: said.max ?? DEFAULT_CAUGHT_UP } : { kind: said.kind };
}

/** Limits hold for what was typed too. */
function checked(schedule: Schedule): Schedule {
  const { success, error } = scheduleSchema.safeParse(schedule);
  if (success) return schedule;
  const [issue] = error.issues;
  throw new ScheduleError("invalid_schedule", `${issue?.path.join(".")}: ${issue?.message}`, {
    hint: "An interval is at least a second and at most ten years, for example every 30m.",
  });
}

function isoAt(ms: number): string {
  return new Date(Math.min(ms, LATEST_MS)).toISOString();
}
