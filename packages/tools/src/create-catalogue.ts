import { type DeclaredTool, emitDeclarations } from "@deputy/codemode";
import type { MeaningSearch, ToolSearch } from "@deputy/search";
import type { Catalogue, CatalogueTool } from "./catalogue.ts";
import { toCatalogueTool } from "./catalogue-tool.ts";
import { briefTools } from "./describe/brief-tool.ts";
import { shareTypes } from "./describe/share-types.ts";
import { flattenTree } from "./flatten-tree.ts";
import type { SeenTypes } from "./seen/seen-types.ts";
import type { ToolTree } from "./tool.ts";
import { ToolsError } from "./tools-error.ts";

export interface ToolSource {
  /** The origin of the tree, for error messages: a file, a server's name. */
  readonly source: string;
  readonly tree: ToolTree;
  /** The current version of it: the same object while nothing has changed. Absent: it never changes. */
  readonly renewed?: () => ToolSource;
}

/** Whether a call asks, errors and examples are for the model that writes it. The type checker does not need them. */
function forWriter(known: CatalogueTool, tool: DeclaredTool): DeclaredTool {
  const { approval, examples, termsOf } = known;
  const thrown = thrownBy(known);
  const lines = [
    ...(thrown === "" ? [] : [`@throws ${thrown}`]),
    ...examples.map(
      ({ input, note }) => `Example${note === undefined ? "" : ` (${note})`}: ${JSON.stringify(input)}`,
    ),
  ];
  // First, because long descriptions are cut.
  const asks = termsOf === undefined ? "(asks the user)" : "(may ask the user)";
  const about = approval === "required" ? `${asks} ${tool.description}` : tool.description;
  return { ...tool, description: [about, ...lines].join("\n") };
}

/** By code or, for what others answer, by status. Bodies of those are declared in a type of their own. */
function thrownBy({ throws = [], errors = [] }: CatalogueTool): string {
  const statuses = errors.flatMap(({ status, schema }) => (schema === undefined ? [status] : []));
  return [...throws, ...(statuses.length === 0 ? [] : [`status ${statuses.join(", ")}`])].join(", ");
}

/**
 * Joins trees into one namespace, together with `others`, the tools of another catalogue. `seen` has the
 * shapes of results that a source does not declare; `meaning` finds tools that words alone do not. Throws
 * `invalid_tool`, or `duplicate_tool` if two define the same path.
 */
export function createCatalogue(
  sources: readonly ToolSource[],
  others: readonly CatalogueTool[] = [],
  seen?: SeenTypes,
  meaning?: MeaningSearch,
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
  const aliased = tools.filter((tool) => tool.alias !== undefined && !isTaken(tool.alias, byPath));
  const aliases = Object.fromEntries(aliased.map(({ alias = "", path }) => [alias, path]));
  let search: Promise<ToolSearch<CatalogueTool>> | undefined;
  const openSearch = async (): Promise<ToolSearch<CatalogueTool>> => {
    const { createToolSearch } = await import("@deputy/search");
    return createToolSearch(tools, meaning);
  };
  const withSeen = (tool: CatalogueTool): DeclaredTool => {
    const seenSchema = tool.outputSchema === undefined ? seen?.schemaOf(tool.path) : undefined;
    if (seenSchema === undefined) return tool;
    const { path, description, inputSchema, errors, definitions } = tool;
    return {
      path,
      description,
      inputSchema,
      seenSchema,
      errors,
      ...(definitions === undefined ? {} : { definitions }),
    };
  };
  let declarations: { readonly text: string; readonly version: number | undefined } | undefined;

  return {
    list: () => tools,
    get: (path) => byPath.get(path),
    aliases,
    find: async (query, limit, signal) => await (await (search ??= openSearch())).find(query, limit, signal),
    seen,
    meaning,
    declarations() {
      if (declarations === undefined || declarations.version !== seen?.version)
        declarations = {
          text: emitDeclarations([
            ...tools.map(withSeen),
            ...aliased.map((tool) => declareAs(tool.alias ?? "", withSeen(tool))),
          ]),
          version: seen?.version,
        };
      return declarations.text;
    },
    describe(paths, amount = "brief") {
      const wanted = new Set(paths.map((path) => aliases[path] ?? path));
      const chosen = tools.filter((tool) => wanted.has(tool.path));
      const whole = chosen.map(withSeen);
      const declared = amount === "brief" ? briefTools(whole) : whole;
      return emitDeclarations(
        shareTypes(chosen.map((tool, at) => forWriter(tool, declared[at] ?? withSeen(tool)))),
      );
    },
  };
}

/** A tool with that path, or one above or below it. */
function isTaken(alias: string, byPath: ReadonlyMap<string, unknown>): boolean {
  const names = alias.split(".");
  return names.some((_, at) => byPath.has(names.slice(0, at + 1).join(".")));
}

/** What the checker needs of a tool, which may have getters, under another path. */
function declareAs(path: string, tool: DeclaredTool): DeclaredTool {
  const { description, inputSchema, outputSchema, seenSchema, errors, definitions } = tool;
  return {
    path,
    description,
    inputSchema,
    outputSchema,
    seenSchema,
    errors,
    ...(definitions === undefined ? {} : { definitions }),
  };
}
