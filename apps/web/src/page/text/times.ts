/** Times as people say them, in the reader's own zone and language. */
import { count } from "./words.ts";

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const SECONDS = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "long" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

const DAY_MS = 86_400_000;

export const exactTime = (at: string): string => EXACT.format(new Date(at));

/** “Thursday 9:05 AM”, where seconds would be noise. */
export const weekdayTime = (at: string): string => `${WEEKDAY.format(new Date(at))} ${clockTime(at)}`;

export const clockTime = (at: string): string => CLOCK.format(new Date(at));

/** Days from now, by the calendar: 0 is today, 1 tomorrow. */
export function daysFromNow(at: string, nowMs: number): number {
  return Math.round((startOfDay(Date.parse(at)) - startOfDay(nowMs)) / DAY_MS);
}

function startOfDay(ms: number): number {
  const day = new Date(ms);
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate());
}

/** The times as people say them; with seconds if two that follow each other would be the same without. */
export function shortTimes(all: readonly string[], nowMs: number): readonly string[] {
  const short = all.map((at) => shortTime(at, nowMs));
  const areAlike = short.some((text, index) => text === short[index + 1] && all[index] !== all[index + 1]);
  return areAlike ? all.map((at) => shortTime(at, nowMs, SECONDS)) : short;
}

/** “14:02”, “yesterday 14:02”, “Monday 14:02”, “3 Mar, 14:02”. */
export function shortTime(at: string, nowMs: number, clockOf = CLOCK): string {
  const days = daysFromNow(at, nowMs);
  const clock = clockOf.format(new Date(at));
  if (days === 0) return clock;
  if (days === 1) return `tomorrow ${clock}`;
  if (days === -1) return `yesterday ${clock}`;
  const date = new Date(at);
  if (Math.abs(days) < 7) return `${WEEKDAY.format(date)} ${clock}`;
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return `${(isThisYear ? DAY : DAY_OF_YEAR).format(date)}, ${clock}`;
}

/** Where a conversation stands in the list. */
export function dayGroup(at: string, nowMs: number): string {
  const days = -daysFromNow(at, nowMs);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "Last week";
  if (days < 31) return "Last month";
  return "Earlier";
}

/** “Today”, “Yesterday”, “Monday”, “3 Mar”. */
export function dayWords(at: string, nowMs: number): string {
  const days = -daysFromNow(at, nowMs);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const date = new Date(at);
  if (days > 0 && days < 7) return WEEKDAY.format(date);
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? DAY : DAY_OF_YEAR).format(date);
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const readersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const QUIET_MS = 3_600_000;

/** “3 hours”, “2 days”: how long nothing happened between the two, if that is worth a line. */
export function quietTime(from: string, to: string): string | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms <= QUIET_MS) return undefined;
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? count(hours, "hour") : count(Math.round(hours / 24), "day");
}
