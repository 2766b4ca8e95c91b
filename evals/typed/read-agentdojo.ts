import { z } from "zod";
import type { Corpus } from "./corpus.ts";
import { readJson } from "./read-json.ts";

const jsonSchema = z.record(z.string(), z.unknown());
const task = z.object({
  id: z.string(),
  calls: z.array(z.object({ function: z.string(), args: jsonSchema })),
});
const file = z.object({
  suites: z.record(
    z.string(),
    z.object({
      tools: z.array(
        z.object({ name: z.string(), description: z.string(), parameters: jsonSchema, returns: jsonSchema }),
      ),
      user_tasks: z.array(task),
      injection_tasks: z.array(task),
    }),
  ),
});

export async function readAgentDojo(directory: string): Promise<Corpus> {
  const { suites } = await readJson(directory, "agentdojo-banking-slack.json", file);
  const groups = Object.entries(suites).map(([suite, { tools, user_tasks, injection_tasks }]) => ({
    tools: tools.map(({ name, description, parameters, returns }) => ({
      path: `${suite}.${name}`,
      description,
      inputSchema: parameters,
      outputSchema: returns,
    })),
    calls: [...user_tasks, ...injection_tasks].flatMap(({ id, calls }) =>
      calls.map((call, index) => ({
        id: `${suite} ${id} ${index}`,
        path: `${suite}.${call.function}`,
        args: call.args,
      })),
    ),
  }));
  return { name: "AgentDojo", groups };
}
