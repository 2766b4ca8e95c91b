const DAY_MS = 24 * 60 * 60 * 1_000;
/** How many days of values there are before the incident. */
const HISTORY_DAYS = 365;
const MOST_DAYS = 400;

/** A number for each day; `incident` is the factor during an incident, on its day and those after it. */
interface Series {
  readonly unit: string;
  readonly description: string;
  readonly level: number;
  /** The factor for weekends. */
  readonly weekend: number;
  readonly incident: readonly number[];
}

/** The first three, and the mailbox, tell the same story: a release that went wrong and was taken back. */
export const SERIES = {
  signups: {
    unit: "people",
    description: "New accounts per day",
    level: 84,
    weekend: 0.55,
    incident: [0.35, 0.5, 0.9],
  },
  errors: {
    unit: "requests",
    description: "Requests per day that ended in an error",
    level: 31,
    weekend: 0.7,
    incident: [21, 12, 2],
  },
  latency: {
    unit: "ms",
    description: "95th percentile of response times",
    level: 182,
    weekend: 0.9,
    incident: [2.3, 1.9, 1.1],
  },
  visitors: {
    unit: "people",
    description: "New visitors per day",
    level: 27_000,
    weekend: 0.8,
    incident: [0.9],
  },
  subscribers: {
    unit: "people",
    description: "New subscribers per day",
    level: 41,
    weekend: 0.6,
    incident: [0.8],
  },
} as const satisfies Readonly<Record<string, Series>>;
export type SeriesName = keyof typeof SERIES;

/** The total when the demo began: a few days short of a round number. */
const TOTALS_AT_FIRST = { visitors: 9_880_000, subscribers: 18_240 } as const satisfies Partial<
  Record<SeriesName, number>
>;
export type TotalName = keyof typeof TOTALS_AT_FIRST;
export const TOTALS = Object.keys(TOTALS_AT_FIRST) as [TotalName, ...TotalName[]];

export interface Point {
  /** `2026-05-01`, in UTC. */
  readonly day: string;
  readonly value: number;
}

/** The existing values from one day to another. They depend only on the day and the incident. */
export function pointsOf(
  name: SeriesName,
  from: string,
  until: string,
  incidentDay: string,
): readonly Point[] {
  const series: Series = SERIES[name];
  const incident = dayNumber(incidentDay);
  const first = Math.max(dayNumber(from), incident - HISTORY_DAYS);
  const last = Math.min(dayNumber(until), first + MOST_DAYS);
  const points: Point[] = [];
  for (let number = first; number <= last; number++) {
    const date = new Date(number * DAY_MS);
    const week = [0, 6].includes(date.getUTCDay()) ? series.weekend : 1;
    const factor = series.incident[number - incident] ?? 1;
    const value = Math.round(series.level * week * factor * (0.92 + 0.16 * noise(name, number)));
    points.push({ day: dayOf(date.getTime()), value });
  }
  return points;
}

/**
 * The total of a series until now, counted from the day on which the demo began; a day's value grows evenly
 * over the day.
 */
export function totalOf(name: TotalName, nowMs: number, firstDay: string, incidentDay: string): number {
  const points = pointsOf(name, firstDay, dayOf(nowMs), incidentDay);
  const today = points.at(-1)?.value ?? 0;
  const before = points.slice(0, -1).reduce((sum, { value }) => sum + value, 0);
  return TOTALS_AT_FIRST[name] + before + Math.floor((today * (nowMs % DAY_MS)) / DAY_MS);
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function dayNumber(day: string): number {
  return Math.floor(Date.parse(day) / DAY_MS);
}

/** Between 0 and 1, the same for the same day. */
function noise(name: string, number: number): number {
  let hash = 2_166_136_261;
  for (const char of `${name} ${number}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
