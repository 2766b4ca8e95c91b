import { emitDeclarations } from "@deputy/codemode";
import type { Catalogue, CatalogueTool } from "./catalogue.ts";
import { toCatalogueTool } from "./catalogue-tool.ts";
import { flattenTree } from "./flatten-tree.ts";
import { createToolSearch } from "./search/create-tool-search.ts";
import type { ToolTree } from "./tool.ts";
import { ToolsError } from "./tools-error.ts";

export interface ToolSource {
  /** Where the tree comes from, for error messages: a file, a server's name. */
  readonly source: string;
  readonly tree: ToolTree;
}

/** Examples are for whoever writes a call; the checker has no use for them. */
function withExamples(tool: CatalogueTool): CatalogueTool {
  if (tool.examples.length === 0) return tool;
  const lines = tool.examples.map(
    ({ input, note }) => `Example${note === undefined ? "" : ` (${note})`}: ${JSON.stringify(input)}`,
  );
  return { ...tool, description: [tool.description, ...lines].join("\n") };
}

/**
 * Joins trees into one namespace, together with `others`, tools that another catalogue has already. Throws
 * `invalid_tool`, or `duplicate_tool` when two define the same path.
 */
export function createCatalogue(
  sources: readonly ToolSource[],
  others: readonly CatalogueTool[] = [],
): Catalogue {
  const sourceOf = new Map(others.map(({ path }) => [path, "another catalogue"]));
  const found: CatalogueTool[] = [...others];
  for (const { source, tree } of sources) {
    for (const placed of flattenTree(source, tree)) {
      const other = sourceOf.get(placed.path);
      if (other !== undefined) {
        throw new ToolsError("duplicate_tool", `${placed.path} is defined by ${other} and by ${source}`);
      }
      sourceOf.set(placed.path, source);
      const { path, tool } = placed;
      found.push(tool.kind === "deputy.tool" ? toCatalogueTool(path, tool) : tool.place(path));
    }
  }

  const tools: readonly CatalogueTool[] = found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(tools.map((tool) => [tool.path, tool]));
  const search = createToolSearch(tools);
  let declarations: string | undefined;

  return {
    list: () => tools,
    get: (path) => byPath.get(path),
    search,
    declarations: () => (declarations ??= emitDeclarations(tools)),
    describe(paths) {
      const wanted = new Set(paths);
      return emitDeclarations(tools.filter((tool) => wanted.has(tool.path)).map(withExamples));
    },
  };
}
