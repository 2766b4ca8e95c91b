import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";

const ITEMS = Array.from({ length: 48 }, (_, index) => index + 1);
const [told = "", missing = ""] = readFileSync(join(ROOT, "docs/security.md"), "utf8").split("## Not yet");
const rows = (text: string): readonly (readonly [number, string])[] =>
  [...text.matchAll(/^\| (\d+) +\|(.*)\|$/gm)].map(([, item, row]) => [Number(item), row ?? ""]);

const files = ["packages", "apps", "e2e"].flatMap((folder) =>
  globSync(`${folder}/**/*.test.ts`, { cwd: ROOT, exclude: (name) => name === "node_modules" }),
);
/** Items by the test files whose titles cite them; a comment does not count as a test. */
const citing = new Map<number, string[]>();
for (const path of files)
  for (const line of readFileSync(join(ROOT, path), "utf8").split("\n"))
    if (/^\s*(?!\/\/|\*|\/\*).*["`].*\bGC\d/.test(line))
      for (const [, item] of line.matchAll(/\bGC(\d+)\b/g))
        citing.set(Number(item), [...(citing.get(Number(item)) ?? []), path]);

test("[R9] every item of the security checklist is cited by a test, or listed as not applicable yet", () => {
  const [held, later] = [rows(told), rows(missing)].map((all) => all.map(([item]) => item));
  expect([...(held ?? []), ...(later ?? [])].toSorted((a, b) => a - b)).toEqual(ITEMS);
  expect((held ?? []).filter((item) => !citing.has(item))).toEqual([]);
});

test("[R9] the test files in the table exist, and one of them cites the item", () => {
  for (const [item, row] of rows(told)) {
    const named = [...(row.split("|").at(-1) ?? "").matchAll(/`([^`]+\.test\.ts)`/g)].map(
      ([, name]) => name ?? "",
    );
    expect([item, named.length > 0]).toEqual([item, true]);
    for (const name of named)
      expect([item, name, files.some((path) => path.endsWith(name))]).toEqual([item, name, true]);
    expect([item, named.some((name) => citing.get(item)?.some((path) => path.endsWith(name)))]).toEqual([
      item,
      true,
    ]);
  }
});
