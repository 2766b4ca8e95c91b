import {
  type AgentSettings,
  type AgentsSettings,
  type CompactionLimits,
  DEFAULT_COMPACTION_LIMITS,
} from "@deputy/agent";
import type { Config } from "../config.ts";

export interface HomeAgentsSettings extends AgentsSettings {
  /** The names of further servers, which are providers of models. */
  readonly servers: readonly string[];
}

/** Converts the configuration's agents to the settings that the agent package uses. */
export function agentsSettings(config: Config): HomeAgentsSettings {
  const { agent, agents, session } = config;
  const forAll = toSettings(agent);
  const compaction = session.compactionEnabled
    ? { ...DEFAULT_COMPACTION_LIMITS, ...messagesKept(session.maxHistoryMessages) }
    : { ...DEFAULT_COMPACTION_LIMITS, thresholdTokens: Infinity, maxMessages: Infinity };
  return {
    servers: Object.keys(config.servers),
    defaultAgent: agents.default,
    forAll: { ...forAll, model: forAll.model ?? config.model, limits: { ...forAll.limits, compaction } },
    bySlug: new Map(Object.entries(agents.list).map(([slug, own]) => [slug, toSettings(own)])),
  };
}

function toSettings(own: Config["agents"]["list"][string]): AgentSettings {
  const { maxTurns, outputTokens, typecheckAttempts, budget } = own;
  return {
    model: own.model ?? undefined,
    fallbacks: own.fallbacks,
    effort: own.effort,
    mode: own.mode,
    tools: own.tools,
    limits: {
      ...(maxTurns === undefined ? {} : { modelCalls: maxTurns }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(typecheckAttempts === undefined ? {} : { typecheckAttempts }),
    },
    budget: {
      ...(budget.tokens === undefined ? {} : { tokens: budget.tokens }),
      ...(budget.calls === undefined ? {} : { calls: budget.calls }),
      ...(budget.money === undefined ? {} : { costMicros: Math.round(budget.money * 1e6) }),
      ...(budget.minutes === undefined ? {} : { timeMs: Math.round(budget.minutes * 60_000) }),
    },
  };
}

/** A session is summarised once it has half as many messages again, so that this is not so with each message. */
function messagesKept(most: number): Pick<CompactionLimits, "keepMessages" | "maxMessages"> {
  return { keepMessages: most, maxMessages: Math.ceil(most * 1.5) };
}
