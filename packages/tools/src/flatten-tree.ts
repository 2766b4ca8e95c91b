import { isReadyTool, isTool } from "./define-tool.ts";
import type { ReadyTool, Tool, ToolTree } from "./tool.ts";
import { ToolsError } from "./tools-error.ts";

export interface PlacedTool {
  readonly path: string;
  readonly tool: Tool | ReadyTool;
}

const NAME = /^[A-Za-z_$][\w$-]{0,63}$/;
/** Names with a special meaning for objects or promises. */
const TAKEN: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor", "then"]);
const MAX_DEPTH = 8;

/** Every tool of a tree with its dotted path. Throws `invalid_tool`, naming source and path. */
export function flattenTree(source: string, tree: ToolTree): readonly PlacedTool[] {
  const invalid = (path: readonly string[], problem: string): ToolsError =>
    new ToolsError("invalid_tool", `${path.join(".") || "The tree"} in ${source}: ${problem}`);

  const visit = (node: unknown, path: readonly string[]): readonly PlacedTool[] => {
    if ((isTool(node) || isReadyTool(node)) && path.length > 0) return [{ path: path.join("."), tool: node }];
    if (!isNamespace(node)) throw invalid(path, "neither a tool nor a namespace");
    if (path.length >= MAX_DEPTH) throw invalid(path, `deeper than ${MAX_DEPTH} levels`);
    return Object.entries(node).flatMap(([name, child]) => {
      const at = [...path, name];
      if (!NAME.test(name) || TAKEN.has(name)) throw invalid(at, `${JSON.stringify(name)} cannot be a name`);
      return visit(child, at);
    });
  };
  return visit(tree, []);
}

function isNamespace(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !isTool(value) &&
    !isReadyTool(value)
  );
}
