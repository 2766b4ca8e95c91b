import { z } from "zod";
import { readJson } from "../typed/read-json.ts";

const toolSchema = z.object({
  toolkit: z.string(),
  name: z.string(),
  summary: z.string(),
  parameters: z.array(z.object({ name: z.string(), type: z.string() })),
});
const caseSchema = z.object({
  id: z.string(),
  kind: z.string(),
  user_tool: z.string(),
  user_instruction: z.string(),
  user_args: z.record(z.string(), z.unknown()),
  response: z.unknown(),
  response_raw: z.string(),
  attacker_instruction: z.string(),
  attacker_tools: z.array(z.string()),
});
export type InjecTool = z.infer<typeof toolSchema>;
export type InjecCase = z.infer<typeof caseSchema>;

export interface InjecAgent {
  readonly tools: ReadonlyMap<string, InjecTool>;
  readonly cases: readonly InjecCase[];
}

/** InjecAgent's tools and cases. Rejects when the file is missing, has another form, or a case has an unknown tool. */
export async function readInjecAgent(directory: string): Promise<InjecAgent> {
  const schema = z.object({ tools: z.array(toolSchema), cases: z.array(caseSchema) });
  const { tools, cases } = await readJson(directory, "injecagent.json", schema);
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), cases };
}
