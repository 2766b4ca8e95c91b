import { CodedError, createSystemClock } from "@deputy/kit";
import type { ToolSource } from "@deputy/tools";
import { openMcpSource } from "@deputy/tools/mcp";
import type { McpSettings } from "../config/tool-source-schema.ts";
import type { SourceDeps } from "../load-catalogue.ts";
import { VERSION } from "../version.ts";
import { openMcpServer, sha256 } from "./mcp-server.ts";

/** The pinned tools of an MCP server; undefined, after a warning that says why, when there are none to be had. */
export function loadMcp(settings: McpSettings, deps: SourceDeps): ToolSource | undefined {
  const { timeoutMs } = settings;
  try {
    const server = openMcpServer(settings, deps);
    const opened = openMcpSource({
      name: server.name,
      version: VERSION,
      store: server.store,
      target: server.target,
      openTransport: server.transports(),
      clock: createSystemClock(),
      sha256,
      warn: deps.warn,
      ...(timeoutMs === undefined ? {} : { limits: { silentMs: timeoutMs } }),
    });
    deps.own?.(opened);
    return opened.source;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const hint = error.hint === undefined ? "" : ` ${error.hint}`;
    deps.warn(`Tool source ${settings.name} is left out: ${error.message}.${hint}`);
    return undefined;
  }
}
