import type { Clock } from "@deputy/kit";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { Answer, BearerRequest } from "../route.ts";
import type { BuildServer } from "./build-server.ts";
import { createMcpSessions } from "./mcp-sessions.ts";
import { type McpMessageSent, toAnswer, toWebExchange } from "./web-exchange.ts";

export interface McpEndpoint {
  /** Answers a message that has passed every guard. Rejects with `too_many_connections`. */
  answer(message: McpMessageSent, request: BearerRequest): Promise<Answer>;
}

/**
 * Both protocols over one server: a message with the newer protocol's envelope is answered by itself, any
 * other belongs to a session. The SDK decides which it is.
 */
export function createMcpEndpoint(deps: {
  readonly build: BuildServer;
  readonly clock: Clock;
  readonly limits: Pick<GatewayLimits, "mcpSessions" | "mcpSessionMs">;
  readonly stopping: AbortSignal;
}): McpEndpoint {
  const { build, limits, stopping } = deps;
  const sessions = createMcpSessions(deps);
  // Our event streams have their own heartbeat.
  const modern = createMcpHandler(() => build({ era: "modern", leaves: stopping }), {
    legacy: "reject",
    keepAliveMs: 0,
    maxSubscriptions: limits.mcpSessions,
  });

  return {
    async answer(message, sent) {
      const exchange = toWebExchange(message, sent);
      const { request, body, authInfo } = exchange;
      if (body === undefined || (await isLegacyRequest(request, body)))
        return await sessions.answer(exchange);
      const response = await modern.fetch(request, { parsedBody: body, authInfo });
      request.signal.throwIfAborted();
      // A subscription never ends by itself.
      const isCall = !Array.isArray(body) && body["method"] === "tools/call";
      return await toAnswer(response, { onStop: isCall ? "drain" : "cut", stopping });
    },
  };
}
