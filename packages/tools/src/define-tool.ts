import type { z } from "zod";
import type { ReadyTool, Tool, ToolDefinition } from "./tool.ts";
import { validateDefinition } from "./validate-definition.ts";

/**
 * Makes a tool out of a description, schemas and a function; the input and result of `run` are typed by
 * the schemas. Throws `invalid_tool` when the definition makes no sense.
 */
export function defineTool<Args extends z.ZodType, Returns extends z.ZodType = z.ZodUnknown>(
  definition: ToolDefinition<Args, Returns>,
): Tool {
  validateDefinition(definition, "A tool");
  return Object.freeze({ kind: "deputy.tool", definition });
}

/** True for a result of `defineTool`, even of another copy of this module. */
export function isTool(value: unknown): value is Tool {
  return (
    typeof value === "object" &&
    value !== null &&
    Reflect.get(value, "kind") === "deputy.tool" &&
    typeof Reflect.get(value, "definition") === "object"
  );
}

export function isReadyTool(value: unknown): value is ReadyTool {
  return typeof value === "object" && value !== null && Reflect.get(value, "kind") === "deputy.ready-tool";
}
