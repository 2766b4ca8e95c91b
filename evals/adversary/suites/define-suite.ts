import type { ResultTrust } from "@deputy/protocol";
import type { PolicyTool } from "@deputy/policy";
import type { AttackSuite, Json, SuiteTool } from "../suite.ts";

/** A tool of a suite that is written here: its labels, its arguments and what it gives. */
export interface ToolDefinition {
  readonly effect?: PolicyTool["effect"];
  readonly critical?: readonly string[];
  readonly trust?: ResultTrust;
  /** By name; a `?` at the end marks those that may be left out. */
  readonly takes?: Readonly<Record<string, Json>>;
  readonly run?: (input: Json) => unknown;
}

export interface TaskDefinition {
  readonly prompt: string;
  /** What the user says then, after that many calls. */
  readonly later?: { readonly after: number; readonly text: string };
  readonly calls: readonly (readonly [tool: string, input: Json])[];
}

export const TEXT: Json = { type: "string" };
export const TEXTS: Json = { type: "array", items: TEXT };
export const NUMBER: Json = { type: "number" };

export function defineSuite(
  name: string,
  tools: Readonly<Record<string, ToolDefinition>>,
  tasks: readonly TaskDefinition[],
): AttackSuite {
  const run = (path: string, input: Json): unknown => {
    const tool = tools[path];
    if (tool === undefined) throw new Error(`${name} has no tool ${path}`);
    return tool.run?.(input) ?? "done";
  };
  return {
    name,
    tools: new Map(Object.entries(tools).map(([path, tool]) => [path, toolFrom(path, tool)])),
    tasks: tasks.map(({ prompt, later, calls }, at) => ({
      id: `${name} ${at}`,
      prompt: later === undefined ? prompt : `${prompt}\n${later.text}`,
      ...(later && { messages: { first: prompt, second: later.text, after: later.after } }),
      calls: calls.map(([tool, input]) => ({ tool, input, result: run(tool, input) })),
    })),
  };
}

function toolFrom(path: string, { effect, critical, trust, takes = {} }: ToolDefinition): SuiteTool {
  const names = Object.keys(takes);
  return {
    path,
    approval: "auto",
    effect: effect ?? "read",
    critical: critical ?? "all",
    trust: trust ?? "untrusted",
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(names.map((key) => [key.replace("?", ""), takes[key]])),
      required: names.filter((key) => !key.endsWith("?")),
    },
  };
}
