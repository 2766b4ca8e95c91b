// The turn, the gate and the approvals. Stores, engines and models are met through ports.
export { AgentError, type AgentErrorCode, agentErrorCodes } from "./agent-error.ts";
export type { ApprovalDesk, ResolveOutcome } from "./approval-desk.ts";
export type { CellReport, CellRequest } from "./cell-report.ts";
export { programEntry } from "./cell-journal.ts";
export { type CellRunner, createCellRunner } from "./cell-runner.ts";
export { createGate, type Gate } from "./gate.ts";
export { createGrantsView } from "./grants-view.ts";
export { endInterruptedTurns } from "./interrupted-turns.ts";
export { createLandmarkView, type LandmarkView } from "./landmark-view.ts";
export { createLogApprovalDesk } from "./log-approval-desk.ts";
export { assertProgramSize } from "./program-size.ts";
export { type ProgramTurnDeps, resumeProgramTurn, runProgramTurn } from "./program-turn.ts";
export type { Receipt } from "./receipt.ts";
export { StopRequest, stoppedBy } from "./stop-request.ts";
export { SuspendRequest } from "./suspend-request.ts";
export type { Turn, TurnOutcome } from "./turn.ts";
export { createTurnRunner, DEFAULT_TURN_LIMITS, type TurnRunner } from "./turn-runner.ts";
