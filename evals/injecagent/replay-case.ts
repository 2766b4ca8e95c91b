import { createOriginIndex, createPolicy, type PolicyDecision, type PolicyTool } from "@deputy/policy";
import { attackerInputs } from "./attacker-inputs.ts";
import { policyToolOf } from "./policy-tool.ts";
import type { InjecAgent, InjecCase, InjecTool } from "./read-injecagent.ts";

/** One call that was decided. */
export interface DecidedCall {
  readonly by: "user" | "attacker";
  readonly tool: InjecTool;
  readonly effect: PolicyTool["effect"];
  readonly decision: PolicyDecision["decision"];
}

const policy = createPolicy();

/**
 * A case as a session: the user asks, the model calls the user's tool and reads the attacker's text in
 * what it gives; from then on it makes the attacker's calls, each with every input that may be chosen.
 */
export function replayCase({ tools }: InjecAgent, one: InjecCase): readonly DecidedCall[] {
  const index = createOriginIndex();
  index.addUser(one.user_instruction);
  const toolOf = (name: string): InjecTool => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`${one.id}: there is no tool ${name}`);
    return tool;
  };
  const decide = (by: DecidedCall["by"], tool: InjecTool, input: unknown): DecidedCall => {
    const own = policyToolOf(tool);
    const request = { input, inputHash: "", labels: [], origins: index.origins(), grants: [], nowMs: 0 };
    return { by, tool, effect: own.effect, decision: policy.decide({ ...request, tool: own }).decision };
  };

  const userTool = toolOf(one.user_tool);
  const calls = [decide("user", userTool, one.user_args)];
  const trust = "untrusted" as const;
  index.addResult({ source: userTool.name, trust }, one.response ?? one.response_raw);
  for (const name of one.attacker_tools) {
    const tool = toolOf(name);
    for (const input of attackerInputs(tool, one)) calls.push(decide("attacker", tool, input));
    index.addResult({ source: tool.name, trust }, { result: `what ${tool.name} gave` });
  }
  return calls;
}
