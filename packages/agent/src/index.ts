// Agents, approvals, grants, and what a turn is. What runs one is in turns.ts; sessions and replay are apart too.
export { AgentError, type AgentErrorCode, agentErrorCodes } from "./agent-error.ts";
export {
  type AgentDefinition,
  type AgentRegistry,
  createAgentRegistry,
  isAgentSlug,
  PROGRAM_AGENT,
  SLUG_RULE,
  DEFAULT_AGENT_FILES,
} from "./agents/agent-registry.ts";
export type { AgentSettings, AgentsSettings } from "./agents/agent-settings.ts";
export { TOOL_PATTERN } from "./agents/tool-set.ts";
export type { ApprovalDesk, ResolveOutcome } from "./approvals/approval-desk.ts";
export type { RecordedApproval } from "./approvals/approvals-reader.ts";
export { programEntry } from "./cell/cell-journal.ts";
export { type CompactionLimits, DEFAULT_COMPACTION_LIMITS } from "./compaction/compaction-limits.ts";
export { createLogGrantsDesk, type GrantsDesk, type RevokeOutcome } from "./grants/grants-desk.ts";
export { createGrantsView } from "./grants/grants-view.ts";
export { findOpenTurnIn, readOpenTurns } from "./turn/interrupted-turns.ts";
export { createLogPatience, type LogPatience } from "./keeper/log-patience.ts";
export { createTurnKeeper, type TurnKeeper } from "./keeper/turn-keeper.ts";
export { createLogView, type LogView, packState, unpackValue } from "./views/log-view.ts";
export { createLogApprovalDesk } from "./approvals/log-approval-desk.ts";
export { closingEvents, readOpenItems } from "./turn/open-items.ts";
export { StopRequest, stoppedBy, SuspendRequest } from "./turn/stop-request.ts";
export type { Turn, TurnOutcome } from "./turn/turn.ts";
export { DEFAULT_TURN_LIMITS, type TurnBudget, type TurnLimits } from "./budget/turn-limits.ts";
export type { TurnRunner } from "./turn/turn-runner.ts";
export type { AgentMode } from "./turn/offer.ts";
export { type Part, plainText, type Text } from "./ingress/labelled-text.ts";
export type { SkillShelf } from "./skills/read-skills.ts";
export {
  decodeText,
  type FolderList,
  namesOf,
  type TextFolder,
  type TextRead,
} from "./agents/text-folder.ts";
export type { TurnUsage } from "./usage/read-usage.ts";
export type { UsageSum } from "./usage/sum-usage.ts";
