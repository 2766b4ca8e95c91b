import { CELL_GLOBALS } from "../declarations/cell-globals.ts";
import { wrapCell } from "../wrap-cell.ts";
import type { CheckSource } from "../type-checker.ts";

/** The project a cell is checked in, the same for every checker. Its files exist in memory only. */
export const CELL_PROJECT = {
  directory: "/cell",
  config: "/cell/tsconfig.json",
  globals: "/cell/globals.d.ts",
  tools: "/cell/tools.d.ts",
  cell: "/cell/cell.ts",
} as const;

export const CELL_COMPILER_OPTIONS = {
  target: "es2025",
  lib: ["es2025", "esnext.disposable"],
  types: [],
  module: "esnext",
  moduleDetection: "force",
  strict: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  skipLibCheck: true,
} as const;

/** The project's files for a cell, by path. */
export function cellProjectFiles(source: CheckSource): ReadonlyMap<string, string> {
  const config = { compilerOptions: CELL_COMPILER_OPTIONS, files: ["globals.d.ts", "tools.d.ts", "cell.ts"] };
  return new Map<string, string>([
    [CELL_PROJECT.config, JSON.stringify(config)],
    [CELL_PROJECT.globals, CELL_GLOBALS],
    [CELL_PROJECT.tools, source.declarations],
    [CELL_PROJECT.cell, wrapCell(withoutDirectives(source.code))],
  ]);
}

/** No line is exempt: comments that would switch the checker off are defused, at equal length. */
function withoutDirectives(code: string): string {
  return code.replaceAll(/@ts-(?=ignore|expect-error|nocheck|check)/g, "#ts-");
}
