import type { JsonSchema } from "../json-schema.ts";
import { docComment } from "./doc-comment.ts";
import { indentation } from "./indentation.ts";
import { propertyKey } from "./literal.ts";
import { createNamedTypes, type NamedTypes } from "./named-types.ts";
import { acceptsEmptyObject } from "./optional-input.ts";
import { writeDocument } from "./schema-document.ts";
import { arrangeTools, type ToolNode } from "./tool-tree.ts";

/** What the emitter needs to know about a tool. */
export interface DeclaredTool {
  /** Dotted; any characters are safe. */
  readonly path: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Absent: calls give `unknown`. */
  readonly outputSchema?: JsonSchema;
}

/**
 * TypeScript declarations of `tools`: a tree of async functions by path, preceded by the named types
 * they need. Never throws: what a schema says that TypeScript cannot is `unknown`.
 */
export function emitDeclarations(tools: readonly DeclaredTool[]): string {
  const aliases: string[] = [];
  const tree = printChildren(arrangeTools(tools), 1, { names: createNamedTypes(), aliases });
  const body = tree === "" ? "{}" : `{${tree}\n}`;
  return [...aliases, `declare const tools: ${body};`, ""].join("\n");
}

/** What all declarations of one text share. */
interface Output {
  readonly names: NamedTypes;
  readonly aliases: string[];
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

function signatureOf(tool: DeclaredTool, level: number, { names, aliases }: Output): Signature {
  const write = (schema: unknown): string => writeDocument(schema, tool.path, level, names, aliases);
  const optional = acceptsEmptyObject(tool.inputSchema) ? "?" : "";
  return {
    parameters: `(input${optional}: ${write(tool.inputSchema)})`,
    result: `Promise<${tool.outputSchema === undefined ? "unknown" : write(tool.outputSchema)}>`,
  };
}
