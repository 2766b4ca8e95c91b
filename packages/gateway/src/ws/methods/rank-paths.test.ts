import { expect, test } from "vitest";
import { rankPaths } from "./rank-paths.ts";

const PATHS = ["docs/api.md", "src/page/main.ts", "src/main.ts", "readme.md", "src/remain.ts", "a (1).txt"];

test.each([
  ["main", ["src/main.ts", "src/page/main.ts", "src/remain.ts"]],
  ["src/m", ["src/main.ts", "src/remain.ts", "src/page/main.ts"]],
  ["MD", ["readme.md", "docs/api.md"]],
  ["smt", ["src/main.ts", "src/remain.ts", "src/page/main.ts"]],
  ["(1", ["a (1).txt"]],
  ["nothing", []],
])("[G150] %j finds files by their letters, the best first", (query, found) => {
  expect(rankPaths(PATHS, query)).toEqual(found);
});

test("[G150] without letters, files come from the top of the tree", () => {
  expect(rankPaths(PATHS, " ").slice(0, 2)).toEqual(["a (1).txt", "readme.md"]);
});
