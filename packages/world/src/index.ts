// Durable workflows of tasks. What Workflow DevKit and SQLite need stays inside.
export { openSqliteWorld, type SqliteWorld, type SqliteWorldOptions } from "./open-sqlite-world.ts";
export type { Retention } from "./prune.ts";
export type { Advanced, AdvanceInput, Cause, Outcome, TemplateName } from "./templates/templates.ts";
export { type WorldErrorCode, WorldError, worldErrorCodes } from "./world-error.ts";
export type { Advance } from "./workflows/advance-step.ts";
export { openWorkflows, type Workflows, type WorkflowsOptions } from "./workflows/open-workflows.ts";
