// The agent as a library, over an engine that somebody has opened. What does not belong here: what stands behind the
// engine's ports; who opens a home or one in memory (`apps/deputy/src/sdk/`) decides that.
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
export type { EmbeddedEngine } from "./embedded-engine.ts";
export { openDeputy, type OpenDeputyOptions } from "./open-deputy.ts";
export { SdkError, type SdkErrorCode, sdkErrorCodes } from "./sdk-error.ts";
