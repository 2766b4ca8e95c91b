import { createPolicy, type OriginIndex, type PolicyDecision, type PolicyTool } from "@deputy/policy";
import { createOriginIndex } from "@deputy/policy/provenance";
import type { ResultTrust } from "@deputy/protocol";
import { bankingTools } from "./banking-tools.ts";
import { labels, type ToolLabels } from "./labels.ts";
import { slackTools } from "./slack-tools.ts";
import { fillVectors, type Suite, type TaskCall } from "./suite.ts";
import type { WorldTool } from "./world-tool.ts";

/** A suite's tools under the policy, over one environment, for one conversation. */
export interface Session {
  readonly index: OriginIndex;
  readonly environment: unknown;
  /** What the policy says about a call, without making it. */
  decide(call: Pick<TaskCall, "function" | "args">): PolicyDecision;
  /** Makes the call, whatever the policy says, and hears its result. */
  make(call: TaskCall): unknown;
}

const worlds: ReadonlyMap<string, ReadonlyMap<string, WorldTool>> = new Map([
  ["banking", bankingTools],
  ["slack", slackTools],
]);
const policy = createPolicy();

/** True of suites whose tools are here; those of others give what was recorded, and change nothing. */
export function hasWorld(suiteName: string): boolean {
  return worlds.has(suiteName);
}

export interface SessionSetup {
  readonly suiteName: string;
  readonly suite: Suite;
  readonly prompt: string;
  readonly textOf: (vector: string) => string;
  /** Other labels than the ones in `labels.ts`, to compare. */
  readonly relabel?: (name: string, own: ToolLabels) => ToolLabels;
}

export function openSession({ suiteName, suite, prompt, textOf, relabel }: SessionSetup): Session {
  const tools = new Map(suite.tools.map((tool) => [tool.name, policyToolOf(suiteName, tool, relabel)]));
  const environment = fillVectors(structuredClone(suite.environment_template), textOf);
  const index = createOriginIndex();
  index.addUser(prompt);
  const toolOf = (name: string): PolicyTool & { readonly trust: ResultTrust } => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`${suiteName} has no tool ${name}`);
    return tool;
  };
  return {
    index,
    environment,
    decide(call) {
      return policy.decide({
        tool: toolOf(call.function),
        input: call.args,
        inputHash: "",
        labels: [],
        origins: index.origins(),
        grants: [],
        nowMs: 0,
      });
    },
    make(call) {
      const { path: source, trust } = toolOf(call.function);
      const run = worlds.get(suiteName)?.get(call.function);
      const recorded = fillVectors(call.result_template ?? call.result ?? null, textOf);
      const result = run === undefined ? recorded : run(environment, call.args);
      index.addResult({ source, trust }, result, call.args);
      return result;
    },
  };
}

/** A tool of a suite with its labels. */
export function policyToolOf(
  suiteName: string,
  { name, parameters, effect }: Suite["tools"][number],
  relabel: SessionSetup["relabel"] = (_, own) => own,
): PolicyTool & { readonly trust: ResultTrust } {
  const own = relabel(name, labels.get(name) ?? {});
  return {
    path: `${suiteName}.${name}`,
    approval: "auto",
    effect: own.effect ?? effect,
    critical: own.critical ?? "all",
    trust: own.trust ?? "untrusted",
    inputSchema: parameters,
  };
}
