import { CodedError } from "@deputy/kit";

/**
 * The clocks of one zone. A wall time is what they read, as milliseconds of the same reading in UTC. Zones
 * change on whole minutes, and changes lie more than two days apart: so it has been since 1973.
 */
export interface ZoneTime {
  /** By its usual spelling. */
  readonly zone: string;
  wallOf(ms: number): number;
  /**
   * The first moment at which the clocks read this or later. So a time that they skip is the moment at which
   * they jump past it, and of one that they read twice it is the first.
   */
  reached(wallMs: number): number;
  /** The latest that the clocks have read by then: more than they do, in the hour that they repeat. */
  highestWall(ms: number): number;
  /** The first moment in `(fromMs, untilMs]` from which on the zone differs from UTC by something else. */
  nextChange(fromMs: number, untilMs: number): number | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Shorter than the shortest time between two changes of a zone. */
const STRIDE_MS = 7 * DAY_MS;
const READING = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;

/** Formatters are costly to make and always the same; there are as many as zones. */
const known = new Map<string, ZoneTime>();

/** Throws `unknown_zone`. */
export function zoneTime(zone: string): ZoneTime {
  const key = zone.toLowerCase();
  const made = known.get(key) ?? createZoneTime(zone);
  known.set(key, made);
  return made;
}

function createZoneTime(zone: string): ZoneTime {
  const formatter = openFormatter(zone);
  const { timeZone } = formatter.resolvedOptions();

  const wallOf = (ms: number): number => {
    const [, month, day, year, hour, minute, second] = READING.exec(formatter.format(ms)) ?? [];
    const reading = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
    return reading + Number(second) * 1_000 + (((ms % 1_000) + 1_000) % 1_000);
  };
  const offsetAt = (ms: number): number => wallOf(ms) - ms;

  /** The moment of the change, in a range that contains exactly one. */
  const changeWithin = (fromMs: number, untilMs: number): number => {
    const before = offsetAt(fromMs);
    let [low, high] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(untilMs / MINUTE_MS)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle * MINUTE_MS) === before) low = middle;
      else high = middle;
    }
    return high * MINUTE_MS;
  };

  return {
    // An alias is kept as it was written: people know their zone by that name.
    zone: timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone,
    wallOf,
    reached(wallMs) {
      const before = offsetAt(wallMs - DAY_MS);
      const after = offsetAt(wallMs + DAY_MS);
      if (before === after) return wallMs - before;
      const change = changeWithin(wallMs - DAY_MS, wallMs + DAY_MS);
      const early = wallMs - before;
      return early < change ? early : Math.max(change, wallMs - after);
    },
    highestWall(ms) {
      const before = offsetAt(ms - DAY_MS);
      const wall = wallOf(ms);
      if (before <= wall - ms) return wall;
      return Math.max(wall, changeWithin(ms - DAY_MS, ms) - 1 + before);
    },
    nextChange(fromMs, untilMs) {
      const before = offsetAt(fromMs);
      for (let low = fromMs; low < untilMs; low += STRIDE_MS) {
        const high = Math.min(low + STRIDE_MS, untilMs);
        if (offsetAt(high) !== before) return changeWithin(low, high);
      }
      return undefined;
    },
  };
}

function openFormatter(zone: string): Intl.DateTimeFormat {
  try {
    // Newer engines accept offsets as zones, but offsets have no summer time, which is not what a user means.
    if (!/^[A-Za-z]/.test(zone)) throw new RangeError("not a name");
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch (cause) {
    throw new ScheduleError("unknown_zone", `There is no time zone ${JSON.stringify(zone)}`, {
      cause,
      hint: "Write it as the IANA database does, for example Europe/Berlin, America/New_York or UTC.",
    });
  }
}

export const scheduleErrorCodes = [
  "invalid_schedule",
  "unknown_zone",
  "schedule_in_past",
  "schedule_never_fires",
] as const;
export type ScheduleErrorCode = (typeof scheduleErrorCodes)[number];

/** A schedule that cannot be taken; the message says what is wrong with it, the hint has an example. */
export class ScheduleError extends CodedError<ScheduleErrorCode> {}
