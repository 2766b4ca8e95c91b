// The turn, the gate and the approvals. Stores, engines and models are met through ports.
export { AgentError, type AgentErrorCode, agentErrorCodes } from "./agent-error.ts";
export { createAgentCatalogue } from "./agents/agent-catalogue.ts";
export { type AgentDefinition, type AgentRegistry, createAgentRegistry } from "./agents/agent-registry.ts";
export type { AgentSettings, AgentsSettings } from "./agents/agent-settings.ts";
export { isAgentSlug, SLUG_RULE } from "./agents/agent-slug.ts";
export { DEFAULT_AGENT_FILES } from "./agents/default-files.ts";
export { createToolSet, TOOL_PATTERN } from "./agents/tool-set.ts";
export type { ApprovalDesk, ResolveOutcome } from "./approval-desk.ts";
export type { CellReport, CellRequest } from "./cell-report.ts";
export { programEntry } from "./cell-journal.ts";
export { type CellRunner, createCellRunner } from "./cell-runner.ts";
export { type CompactionLimits, DEFAULT_COMPACTION_LIMITS } from "./compaction/compaction-limits.ts";
export { createGate, type Gate } from "./gate.ts";
export { createGrantsView } from "./grants-view.ts";
export { endInterruptedTurns } from "./interrupted-turns.ts";
export { createLandmarkView, type LandmarkView } from "./landmark-view.ts";
export { createLogApprovalDesk } from "./log-approval-desk.ts";
export { assertProgramSize } from "./program-size.ts";
export { type ProgramTurnDeps, resumeProgramTurn, runProgramTurn } from "./program-turn.ts";
export { copyOf } from "./sessions/event-copy.ts";
export type { SearchHit } from "./sessions/search-sessions.ts";
export type { SessionEntry } from "./sessions/session-index.ts";
export { sessionKeyOf, type SessionOrigin } from "./sessions/session-key.ts";
export { createSessionReader, type SessionReader, type SessionSummary } from "./sessions/session-reader.ts";
export { createLogSessionService, type SessionService } from "./sessions/session-service.ts";
export type { TranscriptLine } from "./sessions/transcript.ts";
export { findForkPoint, type ForkAt } from "./replay/fork-point.ts";
export {
  type CellReplay,
  type ReplayOutcome,
  type ReplaySummary,
  summarize,
  type TurnReplay,
} from "./replay/replay-report.ts";
export { type ReplayDeps, replaySession } from "./replay/replay-session.ts";
export type { Receipt } from "./receipt.ts";
export { StopRequest, stoppedBy } from "./stop-request.ts";
export { SuspendRequest } from "./suspend-request.ts";
export type { Turn, TurnOutcome } from "./turn.ts";
export { DEFAULT_TURN_LIMITS, type TurnBudget, type TurnLimits } from "./turn-limits.ts";
export { type AgentProfile, createTurnRunner, type TurnRunner } from "./turn-runner.ts";
export type { AgentMode } from "./offer.ts";
export type { SkillShelf } from "./skills/read-skills.ts";
export { skillSource } from "./skills/skill-source.ts";
export { decodeText, type FolderList, namesOf, type TextFolder, type TextRead } from "./text-folder.ts";
