import { AppError } from "../app-error.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A future moment, as in `2026-03-01T12:00Z`, or how long from now, as in `30m`. Throws `usage`. */
export function parseExpiry(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const atMs =
    count === undefined || unit === undefined
      ? readMoment(text)
      : nowMs + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (atMs > nowMs) return new Date(atMs).toISOString();
  throw new AppError("usage", `“${text}” is not a time in the future`, {
    hint: "Give a moment such as 2026-03-01T12:00Z, or how long from now: 30m, 8h, 7d.",
  });
}

/** With the time of day and its zone, so that it means one moment; otherwise NaN. */
function readMoment(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
}
