import type { JsonSchema } from "@deputy/codemode";
import type { ApprovalMode, Effect } from "@deputy/tools";

/** A tool as any kind of source could offer it. */
export interface SeedTool {
  readonly path: string;
  readonly description: string;
  readonly approval: ApprovalMode;
  readonly effect: Effect;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly run: (input: unknown, signal: AbortSignal) => unknown;
}

const issue: JsonSchema = {
  type: "object",
  properties: { id: { type: "integer" }, title: { type: "string" } },
  required: ["id", "title"],
};

const closeIssue: SeedTool = {
  path: "issues.close",
  description: "Closes one issue of the tracker",
  approval: "required",
  effect: "write",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "integer", description: "The number of the issue" },
      labels: { type: "array", items: { type: "string" } },
    },
    required: ["id"],
  },
  outputSchema: { type: "object", properties: { closed: { type: "integer" } }, required: ["closed"] },
  run: (input) => ({ closed: (input as { readonly id: number }).id }),
};

const listIssues: SeedTool = {
  path: "issues.list",
  description: "Everything in the tracker",
  approval: "auto",
  effect: "read",
  inputSchema: {
    type: "object",
    properties: { state: { type: "string", enum: ["open", "closed"] } },
  },
  outputSchema: { type: "array", items: issue },
  run: () => [{ id: 1, title: "Rain" }],
};

/** Below another tool, and with more of its words than that one itself. */
const listAllIssues: SeedTool = {
  ...listIssues,
  path: "issues.list.all",
  description: "Lists all issues, also in lists of issues",
};

const deleteFile: SeedTool = {
  path: "files.delete",
  description: "Removes a file for good\n */ declare const escaped: string; /* or\u202e not",
  approval: "required",
  effect: "destructive",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: () => null,
};

/** Allowed names that have a special meaning for an object or a language. */
const ODD_PATHS = ["odd.toString", "odd.hasOwnProperty", "odd.class", "odd.re-open", "odd.$x_1", "_"];
const listAt = (path: string): SeedTool => ({ ...listIssues, path, description: `The tool ${path}` });

export const SEEDS: readonly SeedTool[] = [
  listAllIssues,
  deleteFile,
  closeIssue,
  ...ODD_PATHS.map(listAt),
  listIssues,
];

/** A tool that does whatever a test needs. */
export function seedTool(change: Partial<SeedTool>): SeedTool {
  const { outputSchema: _undeclared, ...plain } = closeIssue;
  return { ...plain, ...change };
}
