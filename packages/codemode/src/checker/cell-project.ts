import { CELL_GLOBALS } from "../declarations/cell-globals.ts";
import { wrapCell } from "../wrap-cell.ts";

/** Where the checker believes to be. Nothing of it is on the disk. */
export const CELL_DIRECTORY = "/cell";
/** What every project is built on. */
export const CELL_CONFIG = `${CELL_DIRECTORY}/tsconfig.json`;
const GLOBALS_FILE = `${CELL_DIRECTORY}/globals.d.ts`;

/** Those an editor needs to say the same; what no cell has is taken out of the library besides. */
export const CELL_COMPILER_OPTIONS = {
  target: "es2025",
  // Beyond the year: what the sandbox's engine has already.
  lib: [
    "es2025",
    "esnext.array",
    "esnext.collection",
    "esnext.disposable",
    "esnext.error",
    "esnext.typedarrays",
  ],
  types: [],
  module: "esnext",
  moduleDetection: "force",
  strict: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  skipLibCheck: true,
} as const;

/** The files all projects share, by path. */
export function sharedFiles(): ReadonlyMap<string, string> {
  // No file but a project's own is ever looked for: one cell cannot name another's.
  const compilerOptions = { ...CELL_COMPILER_OPTIONS, noResolve: true };
  return new Map([
    [CELL_CONFIG, JSON.stringify({ compilerOptions, files: [] })],
    [GLOBALS_FILE, CELL_GLOBALS],
  ]);
}

/** The project in which the cells of one catalogue are checked, one after the other. */
export interface CatalogueProject {
  readonly config: string;
  readonly tools: string;
  readonly cell: string;
}

/** `number` tells the projects of one checker apart. */
export function catalogueProject(number: number): CatalogueProject {
  const directory = `${CELL_DIRECTORY}/${number}`;
  return {
    config: `${directory}/tsconfig.json`,
    tools: `${directory}/tools.d.ts`,
    cell: `${directory}/cell.ts`,
  };
}

/** The project's files but for the cell, by path. */
export function catalogueFiles(project: CatalogueProject, declarations: string): ReadonlyMap<string, string> {
  const config = { extends: "../tsconfig.json", files: ["../globals.d.ts", "tools.d.ts", "cell.ts"] };
  return new Map([
    [project.config, JSON.stringify(config)],
    [project.tools, declarations],
  ]);
}

/** What is checked for a cell's code: wrapped as the sandbox wraps it, at the same length. */
export function cellText(code: string): string {
  return wrapCell(withoutDirectives(code));
}

/** No line is exempt: comments that would switch the checker off are defused, at equal length. */
function withoutDirectives(code: string): string {
  return code.replaceAll(/@ts-(?=ignore|expect-error|nocheck|check)/g, "#ts-");
}
