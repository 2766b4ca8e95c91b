import { AppError } from "../app-error.ts";

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A day (UTC), a moment, or how long ago: `2026-03-01`, `2026-03-01T12:00Z`, `90m`. Throws `usage`. */
export function parseTime(text: string, nowMs: number): number {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  const atMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new AppError("usage", `“${text}” is not a time`, {
    hint: "Give a day such as 2026-03-01 (UTC), a moment such as 2026-03-01T12:00Z, or how long ago: 90m, 2h, 7d.",
  });
}
