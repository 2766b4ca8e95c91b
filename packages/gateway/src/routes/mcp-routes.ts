import type { Clock } from "@deputy/kit";
import { jsonRpcAnswerSchema, mcpMessageSchema } from "@deputy/protocol/mcp";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { BuildServer } from "../mcp/build-server.ts";
import type { McpEndpoint } from "../mcp/mcp-endpoint.ts";
import type { BearerRequest, Route } from "../route.ts";
import { events, json } from "../route-doc.ts";
import { validate } from "../validate.ts";

/**
 * The route for MCP clients, of the newer protocol and of the older. There is no GET: the server sends
 * nothing unasked, and a request's questions go through its own answer. Loaded on first use.
 */
export function mcpRoutes(deps: {
  readonly load: () => Promise<BuildServer>;
  readonly clock: Clock;
  readonly limits: Pick<GatewayLimits, "mcpSessions" | "mcpSessionMs">;
  readonly stopping: AbortSignal;
}): readonly Route[] {
  let opened: Promise<McpEndpoint> | undefined;
  const open = async (): Promise<McpEndpoint> => {
    const [{ createMcpEndpoint }, build] = await Promise.all([import("../mcp/mcp-endpoint.ts"), deps.load()]);
    return createMcpEndpoint({ ...deps, build });
  };
  const endpoint = (): Promise<McpEndpoint> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const refusals = { 400: json(jsonRpcAnswerSchema), 404: json(jsonRpcAnswerSchema) };

  return [
    {
      method: "POST",
      path: "/mcp",
      auth: "bearer",
      doc: {
        summary: "A message of the Model Context Protocol",
        body: mcpMessageSchema,
        answers: {
          200: [...json(jsonRpcAnswerSchema), ...events(jsonRpcAnswerSchema)],
          202: [],
          ...refusals,
        },
        errors: "json_rpc",
      },
      handle: async (request: BearerRequest) => {
        const body = validate(mcpMessageSchema, request.body);
        return await (await endpoint()).answer({ method: "POST", body }, request);
      },
    },
    {
      method: "DELETE",
      path: "/mcp",
      auth: "bearer",
      doc: {
        summary: "End a session of the older protocol",
        answers: { 200: [], ...refusals },
        errors: "json_rpc",
      },
      handle: async (request: BearerRequest) =>
        await (await endpoint()).answer({ method: "DELETE", body: undefined }, request),
    },
  ];
}
