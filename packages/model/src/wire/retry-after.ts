/** The wait a provider asks for, from `retry-after-ms` or `retry-after` (seconds, or a date); never negative. */
export function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = toNumber(headers?.get("retry-after-ms"));
  if (exact !== undefined) return Math.max(0, exact);
  const asked = headers?.get("retry-after");
  const seconds = toNumber(asked);
  if (seconds !== undefined) return Math.max(0, seconds * 1_000);
  const at = /[a-z]{3}/i.test(asked ?? "") ? Date.parse(asked ?? "") : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

function toNumber(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
