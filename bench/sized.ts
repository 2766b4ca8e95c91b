/**
 * `npm run bench -- --smoke` runs everything with the smallest sizes that still show whether it works: the
 * printed figures then say nothing about speed. The environment passes it on to child processes.
 */
export const SMOKE_VARIABLE = "DEPUTY_BENCH_SMOKE";

export function sized<T>(full: T, smoke: T): T {
  return process.env[SMOKE_VARIABLE] === "1" ? smoke : full;
}
