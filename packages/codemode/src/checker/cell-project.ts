import { wrapCell } from "../wrap-cell.ts";

/**
 * What a cell has besides `tools` and the language itself, as declarations for the checker. The sandbox
 * provides exactly this; there is no clock to wait on, no network, no module.
 */
export const CELL_GLOBALS = `/** Lines end up in the cell's log. */
declare const console: {
  log(...values: readonly unknown[]): void;
  info(...values: readonly unknown[]): void;
  warn(...values: readonly unknown[]): void;
  error(...values: readonly unknown[]): void;
  debug(...values: readonly unknown[]): void;
};
/** What a failed call throws; \`code\` is \`denied\` when the user said no. */
interface ToolError<Status = number | undefined, Body = unknown> extends Error {
  readonly code: string;
  /** The HTTP status, where a server refused. */
  readonly status: Status;
  /** What the server answered instead of a result, as data; undefined where that was nothing, or too much. */
  readonly body: Body | undefined;
}
type ClientErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451;
type ServerErrorStatus = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
type HttpErrorStatus = 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308 | ClientErrorStatus | ServerErrorStatus;
`;

/** The checker's virtual directory. Nothing of it is on disk. */
export const CELL_DIRECTORY = "/cell";
/** The base of every project. */
export const CELL_CONFIG = `${CELL_DIRECTORY}/tsconfig.json`;
const GLOBALS_FILE = `${CELL_DIRECTORY}/globals.d.ts`;

/** The options that an editor needs to report the same; what no cell has is also removed from the library. */
export const CELL_COMPILER_OPTIONS = {
  target: "es2025",
  // Newer features that the sandbox's engine already has.
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
  // Only a project's own files are resolved: one cell cannot name another's.
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

/** `number` distinguishes the projects of one checker. */
export function catalogueProject(number: number): CatalogueProject {
  const directory = `${CELL_DIRECTORY}/${number}`;
  return {
    config: `${directory}/tsconfig.json`,
    tools: `${directory}/tools.d.ts`,
    cell: `${directory}/cell.ts`,
  };
}

/** The project's files without the cell, by path. */
export function catalogueFiles(project: CatalogueProject, declarations: string): ReadonlyMap<string, string> {
  const config = { extends: "../tsconfig.json", files: ["../globals.d.ts", "tools.d.ts", "cell.ts"] };
  return new Map([
    [project.config, JSON.stringify(config)],
    [project.tools, declarations],
  ]);
}

/** The text that is checked for a cell's code: wrapped like in the sandbox, with the same length. */
export function cellText(code: string): string {
  return wrapCell(withoutDirectives(code));
}

/** No line is exempt: comments that would switch the checker off are defused, keeping their length. */
function withoutDirectives(code: string): string {
  return code.replaceAll(/@ts-(?=ignore|expect-error|nocheck|check)/g, "#ts-");
}
