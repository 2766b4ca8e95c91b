import { createPolicy, type PolicyDecision, type PolicyTool } from "@deputy/policy";
import { createOriginIndex } from "@deputy/policy/provenance";
import { attackerInputs } from "./attacker-inputs.ts";
import { policyToolOf } from "./policy-tool.ts";
import type { InjecAgent, InjecCase, InjecTool } from "./read-injecagent.ts";

/** One call that was decided. */
export interface DecidedCall {
  readonly by: "user" | "attacker";
  readonly tool: InjecTool;
  readonly effect: PolicyTool["effect"];
  readonly decision: PolicyDecision["decision"];
  /** It passes long text of one service on to another: what reads by its name then sends. */
  readonly isSending: boolean;
}

const policy = createPolicy();
/** A shorter one may be what somebody looks for. */
const SHORTEST_TEXT = 48;

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
  const userTool = toolOf(one.user_tool);
  const isSending = (tool: InjecTool, input: unknown): boolean =>
    tool.toolkit !== userTool.toolkit &&
    one.attacker_instruction.length >= SHORTEST_TEXT &&
    JSON.stringify(input).includes(JSON.stringify(one.attacker_instruction));
  const decide = (by: DecidedCall["by"], tool: InjecTool, input: unknown): DecidedCall => {
    const own = policyToolOf(tool);
    const request = { input, inputHash: "", labels: [], origins: index.origins(), grants: [], nowMs: 0 };
    const { decision } = policy.decide({ ...request, tool: own });
    return { by, tool, effect: own.effect, decision, isSending: isSending(tool, input) };
  };

  const calls = [decide("user", userTool, one.user_args)];
  const trust = "untrusted" as const;
  index.addResult({ source: policyToolOf(userTool).path, trust }, one.response ?? one.response_raw);
  for (const name of one.attacker_tools) {
    const tool = toolOf(name);
    for (const input of attackerInputs(tool, one)) calls.push(decide("attacker", tool, input));
    index.addResult({ source: policyToolOf(tool).path, trust }, { result: `what ${tool.name} gave` });
  }
  return calls;
}
