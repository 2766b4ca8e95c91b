// What runs turns and programs: the gate, cells, prompts. Apart from the rest: who only reads the log or
// answers questions needs none of it, and an idle daemon is to hold none of it.
export { createAgentCatalogue } from "./agents/agent-catalogue.ts";
export { createToolSet } from "./agents/tool-set.ts";
export { createCallCounter } from "./budget/call-counter.ts";
export type { CredentialIssuer } from "./call-credentials.ts";
export type { CellReport, CellRequest } from "./cell-report.ts";
export { type CellRunner, createCellRunner } from "./cell-runner.ts";
export { createGate, type Gate } from "./gate.ts";
export { assertProgramSize } from "./program-size.ts";
export { type ProgramTurnDeps, runProgramTurn, type TurnProgram } from "./program-turn.ts";
export { readInput } from "./read-input.ts";
export type { Receipt } from "./receipt.ts";
export { skillSource } from "./skills/skill-source.ts";
export { type AgentProfile, createTurnRunner } from "./turn-runner.ts";
export { costOfSpent } from "./usage/cost-of-spent.ts";
