// Models behind one port. What does not belong here: the turn, retries across calls, tools.
export { ModelError, type ModelErrorCode, modelErrorCodes } from "./model-error.ts";
export { formatModelRef, parseModelRef } from "./model-ref.ts";
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
export { createRehearsalModel } from "./rehearsal-model.ts";
