/** A namespace of the `tools` tree; one that is also a tool has both a tool and children. */
export interface ToolNode<Tool> {
  readonly tool: Tool | undefined;
  readonly children: ReadonlyMap<string, ToolNode<Tool>>;
}

interface MutableNode<Tool> {
  tool: Tool | undefined;
  readonly children: Map<string, MutableNode<Tool>>;
}

/** Arranges tools by their dotted paths, in order of first appearance; a repeated path keeps the last tool. */
export function arrangeTools<Tool extends { readonly path: string }>(tools: readonly Tool[]): ToolNode<Tool> {
  const root: MutableNode<Tool> = { tool: undefined, children: new Map() };
  for (const tool of tools) {
    let node = root;
    for (const name of tool.path.split(".")) {
      let child = node.children.get(name);
      if (child === undefined) {
        child = { tool: undefined, children: new Map() };
        node.children.set(name, child);
      }
      node = child;
    }
    node.tool = tool;
  }
  return root;
}
