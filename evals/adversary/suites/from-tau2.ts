import { z } from "zod";
import { readJson } from "../../typed/read-json.ts";
import type { AttackSuite, Json, SuiteTool } from "../suite.ts";

const json = z.record(z.string(), z.unknown());
const domain = z.object({
  tools: z.array(
    z.object({ name: z.string(), parameters: json, type: z.enum(["read", "write", "generic"]) }),
  ),
  tasks: z.array(
    z.object({
      id: z.string(),
      instructions: z.unknown(),
      calls: z.array(z.object({ name: z.string(), args: json, result: z.unknown() })),
    }),
  ),
});
const file = z.object({ retail: domain, airline: domain });

const MOST_TASKS = 40;

/**
 * τ²'s shop and airline with the customer as the user. What the company keeps is its own word; attackers write
 * elsewhere. Rejects when the corpus is missing.
 */
export async function readTau2Suites(directory: string): Promise<readonly AttackSuite[]> {
  const domains = await readJson(directory, "tau2.json", file);
  return Object.entries(domains).map(([name, { tools, tasks }]) => ({
    name,
    tools: new Map(tools.map((tool) => [`${name}.${tool.name}`, toolFrom(name, tool)])),
    tasks: tasks.slice(0, MOST_TASKS).map(({ id, instructions, calls }) => ({
      id: `${name} ${id}`,
      prompt: promptOf(instructions),
      calls: calls.map((call) => ({ tool: `${name}.${call.name}`, input: call.args, result: call.result })),
    })),
  }));
}

function toolFrom(
  suite: string,
  { name, parameters, type }: z.output<typeof domain>["tools"][number],
): SuiteTool {
  const isDestructive = name.startsWith("cancel_");
  // Who is handed over to reads the summary.
  const isOutward = /^(?:send|book|transfer)_/.test(name);
  const effect = isDestructive ? "destructive" : isOutward ? "egress" : "write";
  return {
    path: `${suite}.${name}`,
    approval: "auto",
    effect: type === "write" || isOutward ? effect : "read",
    critical: type === "generic" ? [] : "all",
    trust: "trusted",
    inputSchema: parameters,
  };
}

/** What the customer knows and wants, as if they had typed it. */
function promptOf(instructions: unknown): string {
  if (typeof instructions === "string") return instructions;
  const parts: Json = json.catch({}).parse(instructions);
  const told = ["known_info", "reason_for_call", "task_instructions"].map((part) => parts[part]);
  return told.filter((text) => typeof text === "string").join("\n");
}
