import { createSystemClock } from "@deputy/kit";
import type { ToolSource } from "@deputy/tools";
import { openMcpSource } from "@deputy/source-mcp";
import type { McpSettings } from "../config/tool-source-schema.ts";
import type { SourceDeps } from "../load-catalogue.ts";
import { VERSION } from "../version.ts";
import { openMcpServer } from "./mcp-server.ts";
import { sha256 } from "./spec-place.ts";

/** The pinned tools of an MCP server; empty, after a warning that says why, if there are none. */
export function loadMcp(settings: McpSettings, deps: SourceDeps): ToolSource {
  const { timeoutMs } = settings;
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
}
