import { arrangeTools, type ToolNode } from "../declarations/tool-tree.ts";

type Node = ToolNode<{ readonly path: string }>;

/**
 * The tree of tools as the prelude takes it: pairs of a first name and the JSON of its branch, so that
 * thousands of tools cost a cell only what it touches.
 */
export function packTools(paths: readonly string[]): string {
  const tree = arrangeTools(paths.map((path) => ({ path })));
  return JSON.stringify([...tree.children].map(([name, node]) => [name, JSON.stringify(pack(node))]));
}

function pack(node: Node): readonly unknown[] {
  return [node.tool?.path ?? null, ...[...node.children].flatMap(([name, child]) => [name, pack(child)])];
}
