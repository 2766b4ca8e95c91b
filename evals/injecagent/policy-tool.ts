import { inferLabels, type PolicyTool } from "@deputy/policy";
import type { InjecTool } from "./read-injecagent.ts";

/** A tool as the gate would know it: with what is inferred from its name, summary and parameters, and nothing else. */
export function policyToolOf({ toolkit, name, summary, parameters }: InjecTool): PolicyTool {
  const path = `${toolkit}.${name}`;
  const properties = Object.fromEntries(parameters.map(({ name: key, type }) => [key, { type }]));
  const inputSchema = { type: "object", properties };
  return { path, inputSchema, ...inferLabels({ path, description: summary, inputSchema }) };
}
