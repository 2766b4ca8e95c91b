import type { JsonSchema } from "@deputy/codemode";
import { z } from "zod";
import type { Tool } from "./tool.ts";
import { ToolsError } from "./tools-error.ts";

export interface ToolSchemas {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** A tool's schemas as JSON Schema. Throws `invalid_tool`, naming the place that JSON cannot express. */
export function toolSchemas(path: string, definition: Tool["definition"]): ToolSchemas {
  const inputSchema = toJsonSchema(path, "args", definition.args);
  if (
    typeof inputSchema === "object" &&
    inputSchema["type"] !== undefined &&
    inputSchema["type"] !== "object"
  ) {
    throw new ToolsError("invalid_tool", `${path} is not valid: args must be an object schema`);
  }
  if (definition.returns === undefined) return { inputSchema };
  return { inputSchema, outputSchema: toJsonSchema(path, "returns", definition.returns) };
}

function toJsonSchema(path: string, part: "args" | "returns", schema: z.ZodType): JsonSchema {
  const refuse = (at: readonly (string | number)[], why: string, cause?: unknown): never => {
    // The generator counts its own keywords; a reader thinks in fields.
    const fields = at.filter((step) => step !== "properties" && step !== "items");
    const place = [part, ...fields].join(".");
    throw new ToolsError("invalid_tool", `${path} is not valid: ${place}: ${why}`, { cause });
  };
  try {
    return z.toJSONSchema(schema, {
      io: part === "args" ? "input" : "output",
      unrepresentable: ({ path: at, message }) => refuse(at, message),
    });
  } catch (error) {
    if (error instanceof ToolsError) throw error;
    return refuse([], "it has no JSON Schema", error);
  }
}
