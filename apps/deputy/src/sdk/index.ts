// The exports of the installed package as `@deputy/deputy/sdk`. All of it is public: programs that embed Deputy
// depend on it.
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
export type { CallBudget, PolicyRule, PolicySettings } from "@deputy/policy";
export type { OutputItem, PlanCard, Response, StreamEvent, StreamPayload } from "@deputy/protocol";
export {
  type AgentEvent,
  agentEvents,
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
