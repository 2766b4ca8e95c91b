// What a plugin gets for `@deputy/tools`, and what the installed package exports as `@deputy/deputy/tools`:
// only what is needed to define tools, and the types of sandboxes, since every host loads it. What does not belong here: the engine's
// side of tools (see ./index.ts), which costs a host 40 MB and 250 ms.
export { AnsweredError } from "./tools-error.ts";
export { defineTool, isTool } from "./define-tool.ts";
export type {
  CommandLimits,
  CreateSandbox,
  OuterSandbox,
  SandboxedCommand,
  SandboxMount,
  SandboxOrder,
  SandboxPromises,
} from "./outer-sandbox.ts";
export type {
  ApprovalMode,
  ApprovalText,
  Attachable,
  CallTerms,
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
