import { ScheduleError, zoneTime } from "@deputy/protocol/schedule";

/** A moment, and what the clocks and calendars of a zone say then. */
export interface Moment {
  /** With the offset from UTC: `2026-11-18T09:00:00+01:00`. */
  readonly iso: string;
  readonly utc: string;
  readonly date: string;
  readonly time: string;
  readonly weekday: string;
  /** By ISO 8601: weeks begin on Mondays, and the first one has the year's first Thursday. */
  readonly week: number;
  readonly zone: string;
  readonly epochMs: number;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(?:\s*(Z|[+-]\d\d:?\d\d))?$/i;

export function isZone(zone: string): boolean {
  try {
    zoneTime(zone);
    return true;
  } catch (error) {
    if (error instanceof ScheduleError) return false;
    throw error;
  }
}

export function isTime(text: string): boolean {
  return text === "now" || readWall(text) !== undefined;
}

/**
 * The moment that a text means: `now`, or a date, with or without a time of day (else midnight) and an offset (else the
 * clocks of the zone count; a time that they skip is the moment of the jump, of one that they read twice the first).
 */
export function readMoment(text: string, zone: string, nowMs: number): number {
  if (text === "now") return nowMs;
  const read = readWall(text);
  if (read === undefined) return Number.NaN;
  return read.offsetMs === undefined ? zoneTime(zone).reached(read.wallMs) : read.wallMs - read.offsetMs;
}

function readWall(
  text: string,
): { readonly wallMs: number; readonly offsetMs: number | undefined } | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", offset] =
    TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = dateMs(Number(year), Number(month) - 1, Number(day));
  // The 30th of February is the 2nd of March to JavaScript, and a mistake to everyone else.
  if (new Date(date).getUTCDate() !== Number(day) || Number(month) > 12 || Number(month) < 1)
    return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const wallMs = date + seconds * 1_000 + Number(`0.${fraction || 0}`) * 1_000;
  return { wallMs: Math.floor(wallMs), offsetMs: offset === undefined ? undefined : readOffset(offset) };
}

function readOffset(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Midnight of a date in UTC. Unlike `Date.UTC`, it takes the years before 100 as they are. */
function dateMs(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

export function momentOf(ms: number, zone: string): Moment {
  const clocks = zoneTime(zone);
  const wall = clocks.wallOf(ms);
  const reading = new Date(wall).toISOString();
  const [date, time] = [reading.slice(0, 10), reading.slice(11, 19)];
  return {
    iso: `${date}T${time}${offsetText(wall - ms)}`,
    utc: new Date(ms).toISOString(),
    date,
    time,
    weekday: WEEKDAYS[new Date(wall).getUTCDay()] ?? "",
    week: weekOf(wall),
    zone: clocks.zone,
    epochMs: ms,
  };
}

function offsetText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
}

function weekOf(wallMs: number): number {
  const day = Math.floor(wallMs / DAY_MS);
  const weekday = (((day + 3) % 7) + 7) % 7;
  const thursday = day - weekday + 3;
  const yearStart = dateMs(new Date(thursday * DAY_MS).getUTCFullYear(), 0, 1) / DAY_MS;
  return Math.floor((thursday - yearStart) / 7) + 1;
}

export interface Span {
  readonly years?: number | undefined;
  readonly months?: number | undefined;
  readonly weeks?: number | undefined;
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
}

/**
 * Days and longer are counted on the calendar of the zone, so that the time of day stays; then hours and shorter are
 * added as they pass. A month that is too short for the day gives its last day.
 */
export function addSpan(ms: number, span: Span, zone: string): number {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = span;
  const allMonths = years * 12 + months;
  const allDays = weeks * 7 + days;
  const passing = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  if (allMonths === 0 && allDays === 0) return ms + passing;
  const clocks = zoneTime(zone);
  const wall = clocks.wallOf(ms);
  const date = new Date(wall);
  const month = date.getUTCMonth() + allMonths;
  const last = new Date(dateMs(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last) + allDays;
  const timeOfDay = ((wall % DAY_MS) + DAY_MS) % DAY_MS;
  return clocks.reached(dateMs(date.getUTCFullYear(), month, day) + timeOfDay) + passing;
}

/** How far two moments are apart, in each unit as a whole number towards zero. */
export interface Distance {
  readonly seconds: number;
  readonly minutes: number;
  readonly hours: number;
  /** Changes of the date between them, on the calendar of the zone: from 23:00 to 01:00 it is 1. */
  readonly calendarDays: number;
  readonly weeks: number;
  readonly months: number;
  readonly years: number;
}

export function distanceOf(fromMs: number, toMs: number, zone: string): Distance {
  const clocks = zoneTime(zone);
  const [from, to] = [clocks.wallOf(fromMs), clocks.wallOf(toMs)];
  const calendarDays = Math.floor(to / DAY_MS) - Math.floor(from / DAY_MS);
  const months = monthsBetween(from, to);
  const seconds = (toMs - fromMs) / 1_000;
  return {
    seconds: whole(seconds),
    minutes: whole(seconds / 60),
    hours: whole(seconds / 3_600),
    calendarDays,
    weeks: whole((to - from) / DAY_MS / 7),
    months,
    years: whole(months / 12),
  };
}

/** Months that have passed whole: to the same day and time, or the last day of a month that is too short for it. */
function monthsBetween(from: number, to: number): number {
  if (to < from) return whole(-monthsBetween(to, from));
  const [a, b] = [new Date(from), new Date(to)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  return addSpan(from, { months }, "UTC") <= to ? months : months - 1;
}

/** Without a negative zero. */
function whole(value: number): number {
  return Math.trunc(value) + 0;
}
