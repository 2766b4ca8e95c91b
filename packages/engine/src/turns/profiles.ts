import { type AgentProfile, type CellRunner, createAgentCatalogue, createToolSet } from "@deputy/agent/turns";
import type { Catalogue } from "@deputy/tools";
import type { EngineAgents, TurnPorts } from "../engine-ports.ts";

/**
 * Makes what a turn needs of an agent, from the agent's current state. Assembles its tools once for each tool
 * set. Reports a problem that the user should fix when it first shows, and again after it was fixed.
 */
export function createProfiles(deps: {
  readonly agents: Pick<EngineAgents, "registry" | "shelvesOf">;
  /** All tools there are. */
  readonly tools: Catalogue;
  readonly cellsOver: (catalogue: Catalogue) => CellRunner;
  /** The model of that name; without one, that of the default agent. A chosen one goes before. Throws a `ModelError`. */
  readonly modelOf: TurnPorts["modelOf"];
  readonly warn: (text: string) => void;
}): (agentId: string, signal: AbortSignal, chosenModel?: string) => Promise<AgentProfile> {
  const { agents, tools } = deps;
  const known = new Map<
    string,
    { readonly key: string; readonly catalogue: Catalogue; readonly cells: CellRunner }
  >();
  const told = new Map<string, ReadonlySet<string>>();

  const toolsOf = (slug: string, patterns: readonly string[]) => {
    const key = JSON.stringify(patterns);
    const before = known.get(slug);
    if (before?.key === key) return before;
    const catalogue = createAgentCatalogue(tools, patterns, agents.shelvesOf(slug));
    const made = { key, catalogue, cells: deps.cellsOver(catalogue) };
    known.set(slug, made);
    return made;
  };
  const tell = (slug: string, problems: readonly string[]): void => {
    for (const problem of problems.filter((text) => told.get(slug)?.has(text) !== true)) deps.warn(problem);
    told.set(slug, new Set(problems));
  };

  return async (agentId, signal, chosenModel) => {
    const agent = await agents.registry.read(agentId, signal);
    const { slug, mode, limits, instructions, effort } = agent;
    const idle = createToolSet(agent.tools).idle(tools.list().map(({ path }) => path));
    const unmatched = idle
      .filter((pattern) => pattern !== "**")
      .map((pattern) => `Agent ${slug}: no tool fits “${pattern}” of its tools.`);
    tell(slug, [...agent.problems, ...unmatched]);
    const model = deps.modelOf(slug, agent.model, chosenModel, agent.fallbacks);
    return { model, effort, mode, limits, instructions, ...toolsOf(slug, agent.tools) };
  };
}
