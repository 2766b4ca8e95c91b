import type { DeclaredError, DeclaredTool, JsonSchema } from "@deputy/codemode";
import { resolvePointer } from "@deputy/json-schema";

/** Smaller schemas are shown unchanged. */
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

/** A tool for a reader who is about to call it: a few kilobytes at most, however large its types are. */
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

interface BriefLimits {
  /** Properties and alternatives that are shown, those of the outermost object first. */
  readonly parts: number;
  /** Longer descriptions are cut at a sentence, or a word, or left out. */
  readonly descriptionChars: number;
  readonly longDescriptions: "cut" | "left out";
  /** Properties that are not for this side of a call. */
  readonly leaveOut: "readOnly" | "writeOnly";
}

const MAX_ENUM = 12;
const MAX_CHAIN = 32;
const KEPT = ["type", "const", "format", "nullable", "additionalProperties", "minItems", "maxItems"] as const;

type Node = { [key: string]: unknown };

/**
 * A shorter schema with the same meaning: references are resolved, and anything beyond the limits is allowed to be
 * any value. Outer parts come before inner ones, and required parts before optional ones. It ends for every schema,
 * also for recursive ones.
 */
function briefSchema(schema: JsonSchema, lookUp: (ref: string) => unknown, limits: BriefLimits): JsonSchema {
  let left = limits.parts;
  const root: Node = {};
  const waiting: { readonly from: unknown; readonly to: Node }[] = [{ from: schema, to: root }];
  const later = (from: unknown): Node => {
    const to: Node = {};
    waiting.push({ from, to });
    return to;
  };
  for (const { from, to } of waiting) {
    const found = resolve(from, lookUp);
    if (found === undefined) continue;
    const about = shorten(textOf(from, "description") ?? textOf(found, "description"), limits);
    const notes = about === undefined ? [] : [about];
    const shown = left > 0 || !hasParts(found);
    for (const key of KEPT) if (found[key] !== undefined && shown) to[key] = found[key];
    if (Array.isArray(found["enum"])) addEnum(to, found["enum"]);
    if (!shown) notes.push("…");
    const properties = shown ? shownProperties(found, limits.leaveOut, lookUp) : [];
    if (properties.length > 0) {
      const most = properties.slice(0, left);
      left -= most.length;
      to["properties"] = Object.fromEntries(most.map(([name, property]) => [name, later(property)]));
      const names = new Set(most.map(([name]) => name));
      to["required"] = listOf(found["required"]).filter((name) => names.has(String(name)));
      if (most.length < properties.length) {
        notes.push(`… and ${properties.length - most.length} more`);
        if (to["additionalProperties"] === false) delete to["additionalProperties"];
      }
    }
    if (isNode(to["additionalProperties"]))
      to["additionalProperties"] = shown ? later(to["additionalProperties"]) : {};
    if (shown && isNode(found["items"])) to["items"] = later(found["items"]);
    for (const key of ["anyOf", "oneOf", "allOf"] as const) {
      const parts = listOf(found[key]);
      if (parts.length === 0 || !shown) continue;
      left -= parts.length;
      to[key] = parts.map(later);
    }
    if (notes.length > 0) to["description"] = notes.join(" ");
  }
  return root;
}

function resolve(schema: unknown, lookUp: (ref: string) => unknown): Node | undefined {
  let found = schema;
  for (let step = 0; step < MAX_CHAIN; step++) {
    if (!isNode(found)) return undefined;
    const ref = found["$ref"];
    if (typeof ref !== "string") return found;
    found = lookUp(ref);
  }
  return undefined;
}

function hasParts(schema: Node): boolean {
  return ["properties", "items", "anyOf", "oneOf", "allOf", "additionalProperties"].some(
    (key) => isNode(schema[key]) || Array.isArray(schema[key]),
  );
}

/** Required properties come first. */
function shownProperties(
  schema: Node,
  leaveOut: BriefLimits["leaveOut"],
  lookUp: (ref: string) => unknown,
): readonly (readonly [string, unknown])[] {
  const { properties } = schema;
  if (!isNode(properties)) return [];
  const required = new Set(listOf(schema["required"]));
  const shown = Object.entries(properties).filter(
    ([, property]) => resolve(property, lookUp)?.[leaveOut] !== true,
  );
  return [...shown.filter(([name]) => required.has(name)), ...shown.filter(([name]) => !required.has(name))];
}

/** For very many values, only their type is shown. */
function addEnum(to: Node, values: readonly unknown[]): void {
  if (values.length <= MAX_ENUM) to["enum"] = values;
}

function shorten(
  text: string | undefined,
  { descriptionChars: chars, longDescriptions }: BriefLimits,
): string | undefined {
  if (text === undefined) return undefined;
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= chars) return line === "" ? undefined : line;
  const sentence = /^.*?[.!?](?= )/.exec(line)?.[0] ?? line;
  if (sentence.length <= chars) return sentence;
  return longDescriptions === "left out" ? undefined : `${sentence.slice(0, chars).replace(/\s+\S*$/, "")}…`;
}

function textOf(schema: unknown, key: string): string | undefined {
  const text = isNode(schema) ? schema[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
