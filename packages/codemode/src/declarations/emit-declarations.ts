import type { JsonSchema } from "../json-schema.ts";
import { docComment } from "./doc-comment.ts";
import { pascalCase, propertyKey } from "./literal.ts";
import { createNamedTypes, type NamedTypes } from "./named-types.ts";
import { indent } from "./object-type.ts";
import { acceptsEmptyObject } from "./optional-input.ts";
import { writeDocument } from "./schema-document.ts";
import { schemaType } from "./schema-type.ts";
import { arrangeTools, type ToolNode } from "./tool-tree.ts";
import { print } from "./type-expr.ts";

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
  const names = createNamedTypes();
  const aliases: string[] = [];
  const tree = printChildren(arrangeTools(tools), (tool) => signatureOf(tool, names, aliases));
  const body = tree === "" ? "{}" : `{\n${indent(tree)}\n}`;
  return [...aliases, `declare const tools: ${body};`, ""].join("\n");
}

interface Signature {
  readonly parameters: string;
  readonly result: string;
}

function signatureOf(tool: DeclaredTool, names: NamedTypes, aliases: string[]): Signature {
  const prefix = pascalCase(tool.path);
  const write = (schema: unknown): string =>
    print(writeDocument(schema, prefix, names, schemaType, (alias) => void aliases.push(alias)));
  const optional = acceptsEmptyObject(tool.inputSchema) ? "?" : "";
  return {
    parameters: `(input${optional}: ${write(tool.inputSchema)})`,
    result: `Promise<${tool.outputSchema === undefined ? "unknown" : write(tool.outputSchema)}>`,
  };
}

type Sign = (tool: DeclaredTool) => Signature;

function printChildren(node: ToolNode<DeclaredTool>, sign: Sign): string {
  return [...node.children].map(([name, child]) => printMember(propertyKey(name), child, sign)).join("\n");
}

function printMember(key: string, node: ToolNode<DeclaredTool>, sign: Sign): string {
  const { tool } = node;
  if (tool === undefined) return `readonly ${key}: {\n${indent(printChildren(node, sign))}\n};`;
  const doc = docComment(tool.description);
  const lead = doc === undefined ? "" : `${doc}\n`;
  const { parameters, result } = sign(tool);
  if (node.children.size === 0) return `${lead}readonly ${key}: ${parameters} => ${result};`;
  const members = `${lead}${parameters}: ${result};\n${printChildren(node, sign)}`;
  return `readonly ${key}: {\n${indent(members)}\n};`;
}
