/**
 * `npm run bench -- --smoke` runs everything with the least that still shows whether it works: what is printed then
 * says nothing about speed. The environment carries it into the processes that benchmarks start.
 */
export const SMOKE_VARIABLE = "DEPUTY_BENCH_SMOKE";

export function sized<T>(full: T, smoke: T): T {
  return process.env[SMOKE_VARIABLE] === "1" ? smoke : full;
}
