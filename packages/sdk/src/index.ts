// The agent as a library, over an engine that the caller has opened. What does not belong here: what is
// behind the engine's ports, which `apps/deputy/src/sdk/` decides.
export type {
  ApprovalQuestion,
  Approvals,
  Approve,
  Decision,
  Deputy,
  DeputySession,
  QueryOptions,
  RunEvents,
  RunResult,
} from "./deputy.ts";
export { type AgentEvent, agentEvents } from "./agent-events.ts";
export type { EmbeddedEngine } from "./embedded-engine.ts";
export { openDeputy, type OpenDeputyOptions } from "./open-deputy.ts";
export { SdkError, type SdkErrorCode, sdkErrorCodes } from "./sdk-error.ts";
