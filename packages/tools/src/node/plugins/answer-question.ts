import type { CatalogueTool } from "../../catalogue.ts";
import { ToolsError } from "../../tools-error.ts";
import type { HostInput, HostQuestion } from "./host-messages.ts";

/** The input as a tool parsed it. `input` is absent when it cannot be sent out of the host unchanged. */
export type HostParsed =
  | { readonly kind: "parsed"; readonly input: unknown }
  | { readonly kind: "stays" }
  | { readonly kind: "invalid"; readonly message: string; readonly code?: string | undefined };

/** Rejects if an input that must be parsed again is no longer valid. */
export async function answerQuestion(
  tool: CatalogueTool,
  about: HostQuestion,
  given: HostInput,
): Promise<unknown> {
  if (about === "parse") return await parse(tool, given.form === "raw" ? given.raw : given.value);
  const input = await inputOf(tool, given);
  if (about === "terms") return await tool.termsOf?.(input);
  if (about === "grounds") return await tool.groundsOf?.(input);
  if (about === "circumstances") return await tool.circumstancesOf?.(input);
  if (about === "source") return await tool.sourceOf?.(input);
  return await tool.preview(input);
}

/** The same. */
export async function inputOf(tool: CatalogueTool, given: HostInput): Promise<unknown> {
  if (given.form === "parsed") return given.value;
  const parsed = await tool.parseInput(given.raw);
  if (parsed.kind === "ok") return parsed.input;
  throw new ToolsError("plugin_failed", `Parsed again, the input is no longer valid: ${parsed.message}`);
}

async function parse(tool: CatalogueTool, raw: unknown): Promise<HostParsed> {
  const parsed = await tool.parseInput(raw);
  if (parsed.kind === "invalid") return parsed;
  return crosses(parsed.input, new Set()) ? { kind: "parsed", input: parsed.input } : { kind: "stays" };
}

/** True if a value arrives unchanged on the other side. An object of a class would lose its class. */
function crosses(value: unknown, seen: Set<object>): boolean {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null || seen.has(value)) return true;
  seen.add(value);
  if (Array.isArray(value)) return value.every((member) => crosses(member, seen));
  if (value instanceof Map) return [...value].flat().every((member) => crosses(member, seen));
  if (value instanceof Set) return [...value].every((member) => crosses(member, seen));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Date.prototype || prototype === Uint8Array.prototype) return true;
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((member) => crosses(member, seen));
}
