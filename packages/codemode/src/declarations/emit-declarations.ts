import type { JsonSchema } from "../json-schema.ts";
import { docComment } from "./doc-comment.ts";
import { indentation } from "./object-type.ts";
import { propertyKey, stringLiteral, pascalCase } from "./type-expr.ts";
import { createDocumentWriter } from "./schema-type.ts";
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
  /**
   * What results were like so far, if no schema says it: shown in a comment beside `any`, so that it refuses
   * nothing.
   */
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

/** No document within the limits of a source has more; a hostile one stops here. */
const MAX_SHARED_NODES = 5_000_000;

/**
 * TypeScript declarations of `tools`: a tree of async functions by path, preceded by the named types they
 * need. Never throws: what TypeScript cannot express is `unknown`.
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
    // Without a declared body, it is a `ToolError` like any other.
    if (errors.every(({ schema }) => schema === undefined)) continue;
    const write = writersOf(tool, output).output;
    const type = errorType(errors, (schema) => write(schema, 1));
    lines.set(path, `  readonly ${stringLiteral(path)}: ${type};`);
  }
  return lines.size === 0 ? [] : [ERRORS_DOC, "interface ToolErrors {", ...lines.values(), "}"];
}

/** Shared by all declarations of one text. */
interface Output {
  readonly names: NamedTypes;
  readonly aliases: string[];
  readonly shared: Map<SchemaDefinitions, SharedWriters>;
}

type Writer = (schema: unknown, level: number) => string;

/** Input and output may require different fields, and so have different types. */
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
    parameters: takesNothing(inputSchema)
      ? "(input?: { [key: string]: never })"
      : `(input${optional}: ${input(inputSchema, level)})`,
    result: `Promise<${outputSchema === undefined ? unsaid : result(outputSchema, level)}>`,
  };
}

/** On one line, and without the end of a comment. */
function seenType(schema: JsonSchema, { path }: DeclaredTool, { names, aliases }: Output): string {
  const type = createDocumentWriter({ root: schema, owner: path }, names, aliases)(schema, 0);
  return type.replaceAll(/\s+/g, " ").replaceAll("*/", "* /");
}

function writersOf({ path, definitions }: DeclaredTool, { names, aliases, shared }: Output): SharedWriters {
  if (definitions === undefined) {
    const write = (schema: unknown, level: number, side: { readonly oneSided?: "readOnly" }): string =>
      createDocumentWriter({ root: schema, owner: path, ...side }, names, aliases)(schema, level);
    return {
      input: (schema, level) => write(schema, level, { oneSided: "readOnly" }),
      output: (schema, level) => write(schema, level, {}),
    };
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

/** True if its author declares an object without any property: what else it would accept is nobody's business. */
function takesNothing(schema: unknown): boolean {
  if (!isKeywords(schema) || schema["type"] !== "object") return false;
  const { properties, additionalProperties: others } = schema;
  const isOpen = others !== undefined && others !== false;
  const isMore = ["$ref", "anyOf", "oneOf", "allOf", "required", "patternProperties"].some(
    (key) => key in schema,
  );
  return isKeywords(properties) && Object.keys(properties).length === 0 && !isOpen && !isMore;
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
  const properties = isKeywords(schema["properties"]) ? schema["properties"] : {};
  const hasDefault = (name: unknown): boolean => {
    const property =
      typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isKeywords(property) && Object.hasOwn(property, "default");
  };
  if (Array.isArray(required) && !required.every(hasDefault)) return false;
  if (typeof ref === "string") {
    const found = resolveRef(root, ref);
    if (found !== undefined && !fits(found.target)) return false;
  }
  const { allOf, anyOf, oneOf } = schema;
  if (Array.isArray(allOf) && !allOf.every(fits)) return false;
  return [anyOf, oneOf].every((parts) => !Array.isArray(parts) || parts.some(fits));
}

/** A refusal that a tool's source declares. */
export interface DeclaredError {
  /** `404`, a range such as `4XX`, or `default` for every status that is not named. */
  readonly status: string;
  /** The type of the body; absent if the source does not say. */
  readonly schema?: JsonSchema | undefined;
}

const RANGES: ReadonlyMap<string, string> = new Map([
  ["4XX", "ClientErrorStatus"],
  ["5XX", "ServerErrorStatus"],
]);
const ANY_STATUS = "HttpErrorStatus";

/**
 * The errors that calls of a tool throw, as a union that a comparison of `status` narrows. Deputy's own
 * errors have no status, and are always part of it.
 */
function errorType(errors: readonly DeclaredError[], write: (schema: JsonSchema) => string): string {
  const bodyOf = ({ schema }: DeclaredError): string => (schema === undefined ? "unknown" : write(schema));
  const statuses = new Map<string, string[]>();
  const exact = errors.filter(({ status }) => /^[1-9]\d\d$/.test(status));
  for (const error of exact) {
    const body = bodyOf(error);
    statuses.set(body, [...(statuses.get(body) ?? []), error.status]);
  }
  const members = [...statuses].map(([body, named]) => toolError(named.join(" | "), body));
  const taken = exact.map(({ status }) => status);
  for (const error of errors) {
    const range = RANGES.get(error.status.toUpperCase());
    if (range === undefined) continue;
    const named = exact.flatMap(({ status }) => (status[0] === error.status[0] ? [status] : []));
    members.push(toolError(without(range, named), bodyOf(error)));
    taken.push(range);
  }
  const others = errors.find(({ status }) => status === "default");
  if (others === undefined) members.push(toolError(without(`${ANY_STATUS} | undefined`, taken), "unknown"));
  else members.push(toolError(without(ANY_STATUS, taken), bodyOf(others)), toolError("undefined", "unknown"));
  return members.join(" | ");
}

function toolError(status: string, body: string): string {
  return body === "unknown" ? `ToolError<${status}>` : `ToolError<${status}, ${body}>`;
}

function without(statuses: string, taken: readonly string[]): string {
  return taken.length === 0 ? statuses : `Exclude<${statuses}, ${taken.join(" | ")}>`;
}

/** The type aliases of one set of declarations: unique names, and no endlessly circular alias. */
export interface NamedTypes {
  /** A new name made of both parts. The underscore keeps it apart from every name of the standard library. */
  reserve(prefix: string, name: string): string;
  /**
   * Notes that the body of `from` is `to`, or a union or intersection with it. False (and not noted) if `to`
   * already leads back to `from` that way, which TypeScript refuses, or leads too far to tell.
   */
  link(from: string, to: string): boolean;
}

/** How many aliases are followed to find a cycle; real ones lead to a few. */
const MAX_FOLLOWED = 200;

function createNamedTypes(): NamedTypes {
  const used = new Set<string>();
  const links = new Map<string, Set<string>>();

  const mayLeadTo = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const name of seen) {
      if (name === to || seen.size > MAX_FOLLOWED) return true;
      for (const next of links.get(name) ?? []) seen.add(next);
    }
    return false;
  };

  return {
    reserve(prefix, name) {
      const base = `${prefix}_${pascalCase(name)}`;
      let free = base;
      for (let n = 2; used.has(free); n++) free = `${base}_${n}`;
      used.add(free);
      return free;
    },
    link(from, to) {
      if (mayLeadTo(to, from)) return false;
      const targets = links.get(from) ?? new Set();
      links.set(from, targets.add(to));
      return true;
    },
  };
}
