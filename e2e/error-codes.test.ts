import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listSources, listWorkspaces, ROOT } from "./repository.ts";

const documented = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");

/** Every closed list of codes in the sources: `export const somethingCodes = ["…", …] as const`. */
const lists = listWorkspaces().flatMap(({ folder }) =>
  listSources(join(folder, "src")).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return [...text.matchAll(/export const (\w+Codes) = \[([^\]]*)\] as const/g)].map((match) => ({
      name: match[1] ?? "",
      path,
      codes: [...(match[2] ?? "").matchAll(/"([A-Za-z0-9_]+)"/g)].map((code) => code[1] ?? ""),
    }));
  }),
);

test("[R4] there are lists of codes to check", () => {
  expect(lists.length).toBeGreaterThan(5);
});

test.each(lists)("[R4] every code of $name is in docs/errors.md", ({ codes, path }) => {
  const section = documented.split(/^## /m).find((part) => part.includes(`\`${path}\``));
  expect(section, `docs/errors.md has no section for ${path}`).toBeDefined();
  expect(codes.filter((code) => !new RegExp(`^\\| \`${code}\` +\\|`, "m").test(section ?? ""))).toEqual([]);
});

test("[R4] docs/errors.md names no code that does not exist", () => {
  const known = new Set(lists.flatMap(({ codes }) => codes));
  const named = [...documented.matchAll(/^\| `([A-Za-z0-9_]+)` +\|/gm)].map((match) => match[1] ?? "");
  expect(named.filter((code) => !known.has(code))).toEqual([]);
});
