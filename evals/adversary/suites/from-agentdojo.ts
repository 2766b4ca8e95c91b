import { openSession, policyToolOf } from "../../agentdojo/run-session.ts";
import { defaultsOf, readSuites } from "../../agentdojo/suite.ts";
import type { AttackSuite } from "../suite.ts";

/** AgentDojo's suites, whichever the corpus holds. Rejects when it is missing. */
export async function readAgentDojoSuites(directory: string): Promise<readonly AttackSuite[]> {
  const suites = await readSuites(directory);
  return [...suites].map(([name, suite]) => ({
    name,
    tools: new Map(
      suite.tools.map((tool) => [
        `${name}.${tool.name}`,
        { ...policyToolOf(name, tool), inputSchema: tool.parameters },
      ]),
    ),
    tasks: suite.user_tasks.map(({ id, prompt, calls }) => {
      const session = openSession({ suiteName: name, suite, prompt, textOf: defaultsOf(suite) });
      return {
        id: `${name} ${id}`,
        prompt,
        calls: calls.map((call) => ({
          tool: `${name}.${call.function}`,
          input: call.args,
          result: session.make(call),
        })),
      };
    }),
  }));
}
