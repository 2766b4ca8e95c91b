// The parts that run turns and programs: the gate, cells, prompts. They are exported separately, because code that
// only reads the log or answers questions does not need them, and an idle daemon should not load them.
export { createAgentCatalogue } from "./agents/agent-catalogue.ts";
export { createToolSet } from "./agents/tool-set.ts";
export type { CallCounter } from "./budget/call-counter.ts";
export type { CredentialIssuer } from "./gate/call-credentials.ts";
export type { CellReport, CellRequest } from "./cell/cell-report.ts";
export { type CellRunner, createCellRunner } from "./cell/cell-runner.ts";
export { createGate, type Gate, type GateDeps } from "./gate/gate.ts";
export { assertProgramSize } from "./cell/draft-cell.ts";
export { type ProgramTurnDeps, runProgramTurn, type TurnProgram } from "./turn/program-turn.ts";
export { createPictureShelf } from "./pictures/picture-shelf.ts";
export { readInput } from "./gate/read-input.ts";
export type { Receipt } from "./gate/receipt.ts";
export type { Surroundings } from "./turn/facts.ts";
export { type Recall, type Recalled, recalledKey } from "./recall/recall.ts";
export { skillSource } from "./skills/skill-source.ts";
export { type AgentProfile, type ChosenModel, createTurnRunner } from "./turn/turn-runner.ts";
