const DAY_MS = 24 * 60 * 60 * 1_000;

/** ISO 8601, counted from `nowMs`. */
export function daysAgo(nowMs: number, days: number): string {
  return new Date(nowMs - days * DAY_MS).toISOString();
}
