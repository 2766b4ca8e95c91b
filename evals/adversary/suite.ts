import type { PolicyTool } from "@deputy/policy";
import type { ResultTrust } from "@deputy/protocol";

export type Json = Readonly<Record<string, unknown>>;

/** A tool as the gate knows it, with what its author says of its results. */
export interface SuiteTool extends PolicyTool {
  readonly trust: ResultTrust;
  readonly inputSchema: Json;
  /** What is different for one call, by what the user said and whether others' text was read. */
  readonly termsIn?: (input: Json, place: TermsPlace) => Partial<PolicyTool>;
}

export interface TermsPlace {
  readonly said: readonly string[];
  readonly isUntrustedRead: boolean;
}

/** A right call of a task, and what it gives. */
export interface SuiteCall {
  readonly tool: string;
  readonly input: Json;
  readonly result: unknown;
}

export interface SuiteTask {
  readonly id: string;
  /** All that the user says. */
  readonly prompt: string;
  /** Where the user says it in two messages: the first, and the second with the number of calls that come before it. */
  readonly messages?: { readonly first: string; readonly second: string; readonly after: number };
  /** All of them, in order: what an honest model does. */
  readonly calls: readonly SuiteCall[];
}

/** Tools and honest tasks over them. The generator needs to know nothing else of a suite. */
export interface AttackSuite {
  readonly name: string;
  readonly tools: ReadonlyMap<string, SuiteTool>;
  readonly tasks: readonly SuiteTask[];
}

export function toolOf({ name, tools }: AttackSuite, path: string): SuiteTool {
  const tool = tools.get(path);
  if (tool === undefined) throw new Error(`${name} has no tool ${path}`);
  return tool;
}

/** The namespace of a tool. */
export function spaceOf(path: string): string {
  return path.split(".", 1)[0] ?? path;
}
