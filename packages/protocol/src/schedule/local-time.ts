import { wallStamp } from "./describe-schedule.ts";

/** As the clocks here show it, in a form that sorts: `2026-11-17T14:05:00+01:00`. For people; `--json` has the exact moment. */
export function localStamp(at: string | number): string {
  const ms = typeof at === "number" ? at : Date.parse(at);
  return wallStamp(ms, Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** The same to the minute, without the zone: `2026-11-17 14:05`. */
export function localMinute(at: string | number): string {
  return localStamp(at).slice(0, 16).replace("T", " ");
}

/** The user's day, as far as this machine shares their time zone: `2026-03-01`. Days sort as text. */
export function localDay(at: string | number): string {
  const time = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
}
