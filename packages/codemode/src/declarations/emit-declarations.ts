import type { JsonSchema } from "../json-schema.ts";
import { docComment } from "./doc-comment.ts";
import { type DeclaredError, errorType } from "./error-type.ts";
import { indentation } from "./indentation.ts";
import { propertyKey, stringLiteral } from "./literal.ts";
import { createNamedTypes, type NamedTypes } from "./named-types.ts";
import { createDocumentWriter } from "./schema-document.ts";
import { arrangeTools, type ToolNode } from "./tool-tree.ts";
import { isKeywords, resolveRef } from "./json-pointer.ts";

const MAX_DEPTH = 16;

/** What the emitter needs to know about a tool. */
export interface DeclaredTool {
  /** Dotted; any characters are safe. */
  readonly path: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Absent: calls give `unknown`. */
  readonly outputSchema?: JsonSchema | undefined;
  /** Absent: the source declares none. */
  readonly errors?: readonly DeclaredError[] | undefined;
  /** What results were like so far, where no schema says it: told in a comment beside `any`, so that it refuses nothing. */
  readonly seenSchema?: JsonSchema | undefined;
  /** Where references in both schemas lead; absent: into the schema itself. */
  readonly definitions?: SchemaDefinitions;
}

/** A document that the schemas of many tools refer into: each type in it is declared once for all of them. */
export interface SchemaDefinitions {
  /** What its types are named after. */
  readonly name: string;
  readonly root: unknown;
}

const ERRORS_DOC = "/** What calls throw, by the tool's path; `status` tells which. */";

/** No document within the limits of a source has more; a hostile one ends here. */
const MAX_SHARED_NODES = 5_000_000;

/**
 * TypeScript declarations of `tools`: a tree of async functions by path, preceded by the named types
 * they need. Never throws: what a schema says that TypeScript cannot is `unknown`.
 */
export function emitDeclarations(tools: readonly DeclaredTool[]): string {
  const aliases: string[] = [];
  const output = { names: createNamedTypes(), aliases, shared: new Map() };
  const tree = printChildren(arrangeTools(tools), 1, output);
  const body = tree === "" ? "{}" : `{${tree}\n}`;
  const thrown = printErrors(tools, output);
  return [...aliases, `declare const tools: ${body};`, ...thrown, ""].join("\n");
}

/** By path, so that its name is the same in every set of declarations: `error as ToolErrors["github.issues.get"]`. */
function printErrors(tools: readonly DeclaredTool[], output: Output): readonly string[] {
  const lines = new Map<string, string>();
  for (const tool of tools) {
    const { path, errors = [] } = tool;
    // Without a body to tell of, it is a `ToolError` like any other.
    if (errors.every(({ schema }) => schema === undefined)) continue;
    const write = writersOf(tool, output).output;
    const type = errorType(errors, (schema) => write(schema, 1));
    lines.set(path, `  readonly ${stringLiteral(path)}: ${type};`);
  }
  return lines.size === 0 ? [] : [ERRORS_DOC, "interface ToolErrors {", ...lines.values(), "}"];
}

/** What all declarations of one text share. */
interface Output {
  readonly names: NamedTypes;
  readonly aliases: string[];
  readonly shared: Map<SchemaDefinitions, SharedWriters>;
}

type Writer = (schema: unknown, level: number) => string;

/** What is sent and what comes back may differ in what has to be there, and so in their types. */
interface SharedWriters {
  readonly input: Writer;
  readonly output: Writer;
}

/** `level` is how far the children are indented; each begins with its line break. */
function printChildren(node: ToolNode<DeclaredTool>, level: number, output: Output): string {
  let text = "";
  for (const [name, child] of node.children) text += printMember(propertyKey(name), child, level, output);
  return text;
}

function printMember(key: string, node: ToolNode<DeclaredTool>, level: number, output: Output): string {
  const newLine = indentation(level);
  const { tool } = node;
  if (tool === undefined) {
    return `${newLine}readonly ${key}: {${printChildren(node, level + 1, output)}${newLine}};`;
  }
  if (node.children.size === 0) {
    const { parameters, result } = signatureOf(tool, level, output);
    return `${docLine(tool, newLine)}${newLine}readonly ${key}: ${parameters} => ${result};`;
  }
  const inner = indentation(level + 1);
  const { parameters, result } = signatureOf(tool, level + 1, output);
  const members = `${docLine(tool, inner)}${inner}${parameters}: ${result};${printChildren(node, level + 1, output)}`;
  return `${newLine}readonly ${key}: {${members}${newLine}};`;
}

function docLine(tool: DeclaredTool, newLine: string): string {
  const doc = docComment(tool.description, newLine);
  return doc === undefined ? "" : newLine + doc;
}

interface Signature {
  readonly parameters: string;
  readonly result: string;
}

function signatureOf(tool: DeclaredTool, level: number, output: Output): Signature {
  const { inputSchema, outputSchema, seenSchema } = tool;
  const { input, output: result } = writersOf(tool, output);
  const unsaid =
    seenSchema === undefined ? "unknown" : `any /* seen: ${seenType(seenSchema, tool, output)} */`;
  const optional = acceptsEmptyObject(inputSchema) ? "?" : "";
  return {
    parameters: `(input${optional}: ${input(inputSchema, level)})`,
    result: `Promise<${outputSchema === undefined ? unsaid : result(outputSchema, level)}>`,
  };
}

/** On one line, and without what would end a comment. */
function seenType(schema: JsonSchema, { path }: DeclaredTool, { names, aliases }: Output): string {
  const type = createDocumentWriter({ root: schema, owner: path }, names, aliases)(schema, 0);
  return type.replaceAll(/\s+/g, " ").replaceAll("*/", "* /");
}

function writersOf({ path, definitions }: DeclaredTool, { names, aliases, shared }: Output): SharedWriters {
  if (definitions === undefined) {
    const write: Writer = (schema, level) =>
      createDocumentWriter({ root: schema, owner: path }, names, aliases)(schema, level);
    return { input: write, output: write };
  }
  const known = shared.get(definitions);
  if (known !== undefined) return known;
  const { name, root } = definitions;
  const common = { root, maxNodes: MAX_SHARED_NODES };
  const writers: SharedWriters = {
    input: createDocumentWriter({ ...common, owner: `${name}-input`, oneSided: "readOnly" }, names, aliases),
    output: createDocumentWriter({ ...common, owner: name, oneSided: "writeOnly" }, names, aliases),
  };
  shared.set(definitions, writers);
  return writers;
}

/** True if a call may omit its argument, because an empty object matches the schema. */
function acceptsEmptyObject(schema: unknown, root: unknown = schema, depth = 0): boolean {
  if (schema === false || depth > MAX_DEPTH) return false;
  if (!isKeywords(schema)) return true;
  const fits = (part: unknown): boolean => acceptsEmptyObject(part, root, depth + 1);
  const { type, required, $ref: ref } = schema;
  if (Object.hasOwn(schema, "const") || Object.hasOwn(schema, "enum")) return false;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object")))
    return false;
  if (Array.isArray(required) && required.length > 0) return false;
  if (typeof ref === "string") {
    const found = resolveRef(root, ref);
    if (found !== undefined && !fits(found.target)) return false;
  }
  const { allOf, anyOf, oneOf } = schema;
  if (Array.isArray(allOf) && !allOf.every(fits)) return false;
  return [anyOf, oneOf].every((parts) => !Array.isArray(parts) || parts.some(fits));
}
