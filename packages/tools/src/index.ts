// Tools: how one is defined, and the one namespace the engine finds them in.
// What does not belong here: whether a call may happen, and anything that reads a disk (see ./node).
export { AnsweredError, NotSentError } from "./tools-error.ts";
export type { SlashCommandHead, SlashCommands } from "./slash-commands.ts";
export type { Catalogue, CatalogueTool, ParsedInput } from "./catalogue.ts";
export { createCatalogue, type ToolSource } from "./create-catalogue.ts";
export { descriptionsOf, discoverySource } from "./discovery-source.ts";
export { JsonResult, LARGEST_RESULT_CHARS } from "./json-result.ts";
export { mergeSeen, type SeenSchema } from "./seen/seen-types.ts";
export { createSeenTypes, type SeenTypes } from "./seen/seen-types.ts";
export { defineTool, isTool } from "./define-tool.ts";
export type {
  CommandLimits,
  CreateSandbox,
  OuterSandbox,
  SandboxedCommand,
  SandboxMount,
  SandboxOrder,
} from "./outer-sandbox.ts";
export type {
  ApprovalMode,
  Attachable,
  CallPlace,
  CallTerms,
  ApprovalText,
  Credentials,
  Effect,
  ReadyTool,
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
