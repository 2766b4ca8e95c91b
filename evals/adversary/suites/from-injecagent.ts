import { policyToolOf } from "../../injecagent/policy-tool.ts";
import { readInjecAgent } from "../../injecagent/read-injecagent.ts";
import type { AttackSuite, SuiteTask } from "../suite.ts";

/**
 * InjecAgent's tools with labels that are inferred from their names, as if the user had allowed those that only look
 * like reads to run, and its users' requests. Rejects when the corpus is missing.
 */
export async function readInjecAgentSuite(directory: string): Promise<AttackSuite> {
  const { tools, cases } = await readInjecAgent(directory);
  const tasks = new Map<string, SuiteTask>();
  for (const { user_tool: name, user_instruction: prompt, user_args: input, response } of cases) {
    const tool = tools.get(name);
    if (tool === undefined || tasks.has(prompt)) continue;
    const call = { tool: `${tool.toolkit}.${name}`, input, result: response };
    tasks.set(prompt, { id: `injecagent ${tasks.size}`, prompt, calls: [call] });
  }
  const wanted = new Set(cases.flatMap((one) => [one.user_tool].concat(one.attacker_tools)));
  return {
    name: "injecagent",
    tools: new Map(
      [...tools.values()]
        .filter(({ name }) => wanted.has(name))
        .map((tool) => {
          const own = policyToolOf(tool);
          const properties = Object.fromEntries(tool.parameters.map(({ name, type }) => [name, { type }]));
          const inputSchema = { type: "object", properties, required: Object.keys(properties) };
          return [own.path, { ...own, approval: "auto" as const, trust: "untrusted" as const, inputSchema }];
        }),
    ),
    tasks: [...tasks.values()],
  };
}
