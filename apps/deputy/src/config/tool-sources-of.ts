import type { Config } from "../config.ts";
import type { McpSettings } from "./tool-source-schema.ts";

/** All sources of tools in the settings: `toolSources`, then `mcpServers`, without disabled ones. */
export function toolSourcesOf({
  toolSources,
  mcpServers,
}: Pick<Config, "toolSources" | "mcpServers">): Config["toolSources"] {
  const servers = Object.entries(mcpServers).flatMap(([name, { disabled, ...settings }]): McpSettings[] =>
    disabled === true ? [] : [{ type: "mcp", name, ...settings }],
  );
  return [...toolSources, ...servers];
}
