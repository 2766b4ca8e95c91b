// Tools: how one is defined, and the one namespace the engine finds them in.
// What does not belong here: whether a call may happen, and anything that reads a disk (see ./node).
export type { CommandJudge } from "./builtins/judged-command.ts";
export type { Browsers } from "./builtins/browser/session-browser.ts";
export { AnsweredError } from "./answered-error.ts";
export { builtinSource } from "./builtins/builtin-source.ts";
export {
  createProcessRegistry,
  type Process,
  type ProcessRegistry,
} from "./builtins/exec/process-registry.ts";
export type { Office } from "./builtins/office/office.ts";
export type { SessionLine } from "./builtins/office/session-line.ts";
export type { SlashCommandHead, SlashCommands } from "./builtins/office/slash-command-tools.ts";
export { todoInputSchema } from "./builtins/office/todo-tools.ts";
export type { WebDeps } from "./builtins/web-tools.ts";
export type { Catalogue, CatalogueTool, ParsedInput } from "./catalogue.ts";
export { createCatalogue, type ToolSource } from "./create-catalogue.ts";
export { discoverySource } from "./discovery-source.ts";
export { JsonResult, LARGEST_RESULT_CHARS } from "./json-result.ts";
export type { FetchLimits, GuardedFetch, NetAudit } from "./net/guarded-fetch.ts";
export type { SearchProvider } from "./web/search/search-provider.ts";
export { mergeSeen, type SeenSchema } from "./seen/merge-seen.ts";
export { createSeenTypes, type SeenTypes } from "./seen/seen-types.ts";
export { defineTool, isTool } from "./define-tool.ts";
export type {
  ApprovalMode,
  CallTerms,
  ApprovalText,
  Credentials,
  Effect,
  RunContext,
  Tool,
  ToolAnswer,
  ToolContext,
  ToolDefinition,
  ToolExample,
  ToolLimits,
  ToolQuestion,
  ToolTree,
} from "./tool.ts";
export { ToolsError, type ToolsErrorCode, toolsErrorCodes } from "./tools-error.ts";
export { OWN_NAMESPACES } from "./builtins/own-namespaces.ts";
