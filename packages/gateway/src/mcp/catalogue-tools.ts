import { describeToolsInputSchema, searchToolsInputSchema } from "@deputy/protocol/mcp";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { describePaths, lookUpPaths } from "@deputy/tools/describe-paths";
import type { McpServer } from "@modelcontextprotocol/server";
import { GatewayError } from "../gateway-error.ts";
import type { DeputyServerDeps } from "./deputy-server.ts";
import { errorResult, tellErrors, textResult } from "./tool-result.ts";

const FOUND_TOOLS = 10;
const READS = { readOnlyHint: true, openWorldHint: false };

/** `search_tools` and `describe_tools`: the tools that programs can use. */
export function registerCatalogueTools(
  server: McpServer,
  { programTools, onBug }: Pick<DeputyServerDeps, "programTools" | "onBug">,
): void {
  const catalogue = (): Promise<Pick<Catalogue, "find" | "get" | "list" | "describe">> => {
    if (programTools === undefined) throw new GatewayError("not_available", "There are no tools here");
    return programTools();
  };

  server.registerTool(
    "search_tools",
    {
      title: "Search tools",
      description: "Finds tools by what they do. Gives paths, which describe_tools takes.",
      inputSchema: searchToolsInputSchema,
      annotations: READS,
    },
    ({ query, limit = FOUND_TOOLS }, { mcpReq }) =>
      tellErrors(onBug, async () => {
        const { tools: found } = await (await catalogue()).find(query, limit, mcpReq.signal);
        return textResult(found.length === 0 ? "No matching tool." : found.map(toolLine).join("\n"));
      }),
  );

  server.registerTool(
    "describe_tools",
    {
      title: "Describe tools",
      description: "Gives the TypeScript declarations of tools, as programs for run_code use them.",
      inputSchema: describeToolsInputSchema,
      annotations: READS,
    },
    ({ paths }) =>
      tellErrors(onBug, async () => {
        const tools = await catalogue();
        const { unknown, notes } = lookUpPaths(tools, paths);
        if (unknown.length === paths.length) return errorResult(notes.join(" "));
        return textResult(describePaths(tools, paths));
      }),
  );
}

function toolLine({ path, description, effect, approval }: CatalogueTool): string {
  const asks = approval === "required" ? ", asks the user first" : "";
  return `${path}: ${description} (${effect}${asks})`;
}
