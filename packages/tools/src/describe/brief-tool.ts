import type { DeclaredError, DeclaredTool, JsonSchema } from "@deputy/codemode";
import { resolvePointer } from "@deputy/json-schema";
import { briefSchema, type BriefLimits } from "./brief-schema.ts";

/** Schemas up to here are shown as they are. */
const SMALL_CHARS = 2_000;
const MAX_DESCRIPTION_CHARS = 300;
const INPUT: BriefLimits = {
  parts: 40,
  descriptionChars: 100,
  longDescriptions: "cut",
  leaveOut: "readOnly",
};
const OUTPUT: BriefLimits = {
  parts: 24,
  descriptionChars: 40,
  longDescriptions: "left out",
  leaveOut: "writeOnly",
};

const ERROR: BriefLimits = { ...OUTPUT, parts: 4, descriptionChars: 0 };

/** A tool as a reader needs it who is about to call it: a few kilobytes at most, however large its types are. */
export function briefTool(tool: DeclaredTool): DeclaredTool {
  const { path, inputSchema, outputSchema, seenSchema, errors, definitions } = tool;
  if (definitions === undefined && sizeOf(inputSchema) + sizeOf(outputSchema ?? seenSchema) <= SMALL_CHARS)
    return tool;
  const brief = (schema: JsonSchema, limits: BriefLimits): JsonSchema => {
    const root = definitions?.root ?? schema;
    return briefSchema(schema, (ref) => resolvePointer(root, ref), limits);
  };
  const briefError = ({ status, schema }: DeclaredError): DeclaredError =>
    schema === undefined ? { status } : { status, schema: brief(schema, ERROR) };
  return {
    path,
    description: cut(tool.description),
    inputSchema: brief(inputSchema, INPUT),
    ...(seenSchema === undefined ? {} : { seenSchema: brief(seenSchema, OUTPUT) }),
    ...(outputSchema === undefined ? {} : { outputSchema: brief(outputSchema, OUTPUT) }),
    ...(errors === undefined ? {} : { errors: errors.map(briefError) }),
  };
}

function sizeOf(schema: unknown): number {
  return schema === undefined ? 0 : JSON.stringify(schema).length;
}

function cut(text: string): string {
  return text.length <= MAX_DESCRIPTION_CHARS
    ? text
    : `${text.slice(0, MAX_DESCRIPTION_CHARS).replace(/\s+\S*$/, "")}…`;
}
