import { CodedError } from "@deputy/kit";

export const agentErrorCodes = [
  "model_misbehaved",
  "turn_limit",
  "typecheck_failed",
  "program_too_large",
  "program_lost",
  "budget_spent",
  "unknown_price",
  "answer_cut",
  "model_refused",
  "unknown_agent",
  "unknown_skill",
  "skill_unreadable",
  "session_exists",
] as const;
export type AgentErrorCode = (typeof agentErrorCodes)[number];

export class AgentError extends CodedError<AgentErrorCode> {}
