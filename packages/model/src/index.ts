// Models behind one port. What does not belong here: the turn, tools, and costs for users; nor what only some
// need (`./embeddings`).
export { costOf, costOfSpent } from "./cost-of.ts";
export { createModel, type ModelDeps, type ModelSettings, type ServerSettings } from "./create-model.ts";
export { ModelError, type ModelErrorCode, modelErrorCodes } from "./model-error.ts";
export type {
  AssistantPart,
  Effort,
  Fallback,
  FoundPicture,
  Model,
  ModelEvent,
  ModelMessage,
  ModelRef,
  ModelRequest,
  ModelTool,
  ModelUsage,
  Picture,
  StopReason,
  ToolResult,
} from "./model.ts";
export { efforts } from "./model.ts";
export type { Price } from "./cost-of.ts";
export { createRehearsalModel } from "./rehearsal/rehearsal-model.ts";
