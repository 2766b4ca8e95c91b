// What the installed package exports as `@deputy/deputy/sdk`. Everything in it is public: whoever embeds Deputy
// depends on it.
export { CodedError, errorCodeOf } from "@deputy/kit";
export { createRehearsalModel } from "@deputy/model";
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
} from "@deputy/model";
export type { OutputItem, PlanCard, Response, StreamEvent, StreamPayload } from "@deputy/protocol";
export {
  type ApprovalQuestion,
  type Approvals,
  type Approve,
  type Decision,
  type Deputy,
  type DeputySession,
  type QueryOptions,
  type RunEvents,
  type RunResult,
  SdkError,
  type SdkErrorCode,
  sdkErrorCodes,
} from "@deputy/sdk";
export { createDeputy, type DeputyOptions } from "./create-deputy.ts";
