import type { PolicyTool } from "@deputy/policy";
import type { Json, SuiteTool } from "../suite.ts";

/** A tool that takes nothing but what an attack is about, so that nothing else can hold it. */
export function plainTool(
  path: string,
  effect: PolicyTool["effect"],
  properties: Readonly<Record<string, Json>>,
): SuiteTool {
  return {
    path,
    approval: "auto",
    effect,
    critical: "all",
    trust: "untrusted",
    inputSchema: { type: "object", properties, required: Object.keys(properties) },
  };
}

export const TEXT: Json = { type: "string" };
