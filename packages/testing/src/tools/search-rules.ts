import { expect, test } from "vitest";
import type { CatalogueHarness } from "./catalogue-harness.ts";
import { SEEDS } from "./seed-tools.ts";

const never = new AbortController().signal;
const SIGNS = [" ", "\0", ".*", "(((", "[", "\\", "*", "?", "%", "'\"; --", "🦉", "\ud800"];
const NAMES = ["__proto__", "constructor", "toString"];
const LONG = ["a".repeat(100_000), "issues ".repeat(20_000)];

export function describeSearch({ open }: CatalogueHarness): void {
  const find = async (query: string, limit: number): Promise<readonly string[]> =>
    (await (await open(SEEDS)).find(query, limit, never)).tools.map((tool) => tool.path);

  test.each(SEEDS.map(({ path }) => path))("[T11] the exact path %s finds its tool first", async (path) => {
    expect((await find(path, SEEDS.length))[0]).toBe(path);
    expect(await find(path, 1)).toEqual([path]);
  });

  test.each([
    ["close an issue", "issues.close"],
    ["CLOSING ISSUES", "issues.close"],
    ["delete a file", "files.delete"],
  ])("[T11] %j finds %s first", async (query, path) => {
    expect((await find(query, 3))[0]).toBe(path);
  });

  test.each([0, 1, 2, 1_000, -1, 0.5, Number.POSITIVE_INFINITY])(
    "[T11] returns at most %d tools, at most all of them, and none twice",
    async (limit) => {
      for (const query of ["issues", "issues list tool", ""]) {
        const found = await find(query, limit);
        expect(found.length).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(new Set(found).size).toBe(found.length);
        for (const path of found) expect(SEEDS.map((seed) => seed.path)).toContain(path);
      }
    },
  );

  test("[T11] a smaller limit gives the beginning of the same list", async () => {
    const all = await find("list issues", 10);
    expect(all.length).toBeGreaterThan(1);
    for (let limit = 0; limit <= all.length; limit++)
      expect(await find("list issues", limit)).toEqual(all.slice(0, limit));
  });

  test.each([...SIGNS, ...NAMES, ...LONG])(
    "[T11] answers a senseless query (%#) within the limit",
    async (query) => {
      expect((await find(query, 2)).length).toBeLessThanOrEqual(2);
    },
  );
}
