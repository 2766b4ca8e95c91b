// Models behind one port. What does not belong here: the turn, tools, and costs for users; nor what only some
// need (`./embeddings`).
export { costOf } from "./cost-of.ts";
export { createModel, type ModelDeps, type ModelSettings } from "./create-model.ts";
export { ModelError, type ModelErrorCode, modelErrorCodes } from "./model-error.ts";
export type {
  AssistantPart,
  Model,
  ModelEvent,
  ModelMessage,
  ModelRef,
  ModelRequest,
  ModelTool,
  ModelUsage,
  StopReason,
  ToolResult,
} from "./model.ts";
export type { Price } from "./cost-of.ts";
export { createRehearsalModel } from "./rehearsal/rehearsal-model.ts";
