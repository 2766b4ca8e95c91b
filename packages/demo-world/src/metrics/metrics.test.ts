import { expect, test } from "vitest";
import { openTestDemo } from "../demo.fixture.ts";
import type { Point } from "./series.ts";

async function setup() {
  const { call, clock, logs } = await openTestDemo();
  const query = async (input: object) =>
    ((await call("metrics.query_series", input)) as { points: readonly Point[] }).points;
  return { call, clock, logs, query };
}

test("the server's tools match those that were pinned for it", async () => {
  const { call, logs } = await setup();
  const { series } = (await call("metrics.list_series")) as { series: { name: string }[] };
  expect(series.map(({ name }) => name)).toEqual(["signups", "errors", "latency", "visitors", "subscribers"]);
  expect(logs).toEqual([]);
});

test.each([
  ["signups", 0, "below"],
  ["errors", 5, "above"],
  ["latency", 1.7, "above"],
] as const)("an incident shows in %s, nine days ago", async (name, times, side) => {
  const { query } = await setup();
  const points = await query({ name });
  expect(points).toHaveLength(31);
  expect(points.at(-1)?.day).toBe("2025-01-01");
  const at = points.findIndex(({ day }) => day === "2024-12-23");
  const values = points.map(({ value }) => value);
  const usual = values.toSorted((a, b) => a - b)[15] ?? 0;
  if (side === "below") expect(values[at]).toBe(Math.min(...values));
  else expect(values[at]).toBe(Math.max(...values));
  if (side === "above") expect(values[at]).toBeGreaterThan(usual * times);
});

test("each day keeps its value, and tomorrow has none", async () => {
  const { query, clock } = await setup();
  const range = { name: "errors", from: "2024-12-20", until: "2025-06-01" };
  const before = await query(range);
  expect(before.at(-1)?.day).toBe("2025-01-01");
  await clock.advance(3 * 86_400_000);
  const after = await query(range);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.at(-1)?.day).toBe("2025-01-04");
});

test("covers one year, and no more", async () => {
  const { query } = await setup();
  expect(await query({ name: "signups", from: "1970-01-01", until: "2025-01-01" })).toHaveLength(375);
  expect(await query({ name: "signups", from: "2025-01-01", until: "2024-01-01" })).toEqual([]);
});

test("totals grow by their series, and visitors reach ten million within a week", async () => {
  const { call, clock, query } = await setup();
  const total = async (name: string) =>
    ((await call("metrics.get_total", { name })) as { total: number }).total;
  const first = { visitors: await total("visitors"), subscribers: await total("subscribers") };
  expect(first.visitors).toBeLessThan(9_900_000);
  await clock.advance(2 * 86_400_000);
  for (const name of ["visitors", "subscribers"] as const) {
    const points = await query({ name, from: "2025-01-01", until: "2025-01-02" });
    expect(await total(name)).toBe(first[name] + points.reduce((sum, { value }) => sum + value, 0));
  }
  expect(await total("visitors")).toBeLessThan(10_000_000);
  const before = await total("visitors");
  await clock.advance(3_600_000);
  expect(await total("visitors")).toBeGreaterThan(before);
  await clock.advance(5 * 86_400_000);
  expect(await total("visitors")).toBeGreaterThan(10_000_000);
  await expect(total("errors")).rejects.toThrow("name");
});

test("refuses an unknown series or day", async () => {
  const { query } = await setup();
  await expect(query({ name: "profit" })).rejects.toThrow("name");
  await expect(query({ name: "errors", from: "yesterday" })).rejects.toThrow("from");
});
