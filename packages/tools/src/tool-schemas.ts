import type { JsonSchema } from "@deputy/codemode";
import { z } from "zod";
import { problemOf, type SchemaPart, unrepresentableProblem } from "./schema-problems.ts";
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

function toJsonSchema(path: string, part: SchemaPart, schema: z.ZodType): JsonSchema {
  const refuse = (at: readonly (string | number)[], why: string, cause?: unknown): never => {
    const place = describePlace(part, at);
    throw new ToolsError("invalid_tool", `${path} is not valid: ${place}: ${why}`, { cause });
  };
  try {
    return z.toJSONSchema(schema, {
      io: part === "args" ? "input" : "output",
      unrepresentable: ({ zodSchema, path: at, message }) =>
        refuse(at, unrepresentableProblem(zodSchema._zod.def.type, part, message)),
      override: ({ zodSchema, path: at }) => {
        const problem = problemOf(zodSchema, part, at);
        if (problem !== undefined) refuse(at, problem);
      },
    });
  } catch (error) {
    if (error instanceof ToolsError) throw error;
    return refuse(
      [],
      `it has no JSON Schema: ${error instanceof Error ? error.message : "it failed"}`,
      error,
    );
  }
}

/** Names a place inside a JSON Schema by the path of its value: `args.pairs[][0].since`. */
function describePlace(part: string, path: readonly (string | number)[]): string {
  let place = part;
  for (let index = 0; index < path.length; index++) {
    const keyword = path[index];
    switch (keyword) {
      case "properties":
        place += `.${path[++index] ?? ""}`;
        break;
      case "items":
        place += "[]";
        break;
      case "prefixItems":
        place += `[${path[++index] ?? ""}]`;
        break;
      case "additionalProperties":
        place += ".*";
        break;
      case "patternProperties":
        place += ".*";
        index++;
        break;
      case "propertyNames":
        place += " (its keys)";
        break;
      // Alternatives have the same place: `anyOf`, and the number after it, are skipped.
      default:
    }
  }
  return place;
}
