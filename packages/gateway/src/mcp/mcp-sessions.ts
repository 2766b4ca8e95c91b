import { randomUUID } from "node:crypto";
import type { Clock } from "@deputy/kit";
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { GatewayError } from "../gateway-error.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { Answer } from "../route.ts";
import type { BuildServer } from "./build-server.ts";
import { toAnswer, type WebExchange } from "./web-exchange.ts";

/** Sessions of the older protocol: they begin with `initialize`, live in memory, and are gone after a restart. */
export interface McpSessions {
  answer(exchange: WebExchange): Promise<Answer>;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Aborts when it is forgotten. */
  readonly forgotten: AbortController;
  /** How many of its streams are being read. */
  open: number;
  usedMs: number;
}

/**
 * A session that was not used for long is forgotten. A new session beyond the limit replaces the one that was used
 * least recently; its client then gets 404 and starts over, as the protocol says. A session whose answers are being
 * read is never forgotten: when all are, a new one is refused.
 */
export function createMcpSessions(deps: {
  readonly build: BuildServer;
  readonly clock: Clock;
  readonly limits: Pick<GatewayLimits, "mcpSessions" | "mcpSessionMs">;
  readonly stopping: AbortSignal;
}): McpSessions {
  const { clock, limits, stopping } = deps;
  /** The least recently used first. */
  const sessions = new Map<string, Session>();

  const use = (id: string, session: Session): void => {
    session.usedMs = clock.now();
    if (!sessions.delete(id)) return;
    sessions.set(id, session);
  };

  const forget = (id: string, session: Session): void => {
    sessions.delete(id);
    session.forgotten.abort();
    void session.transport.close();
  };

  const forgetOld = (): void => {
    const unusedSince = clock.now() - limits.mcpSessionMs;
    for (const [id, session] of sessions)
      if (session.open === 0 && session.usedMs <= unusedSince) forget(id, session);
  };

  const makeRoom = (): void => {
    if (sessions.size < limits.mcpSessions) return;
    const oldest = [...sessions].find(([, { open }]) => open === 0);
    if (oldest === undefined)
      throw new GatewayError("too_many_connections", "Too many MCP sessions are in use; end one of them");
    forget(...oldest);
  };

  const begin = async (): Promise<[string, Session]> => {
    makeRoom();
    const id = randomUUID();
    const forgotten = new AbortController();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      // Our event streams have their own heartbeat.
      keepAliveMs: 0,
    });
    const session = { transport, forgotten, open: 0, usedMs: clock.now() };
    sessions.set(id, session);
    const leaves = AbortSignal.any([stopping, forgotten.signal]);
    const server = deps.build({ era: "legacy", leaves });
    transport.onclose = () => sessions.delete(id);
    await server.connect(transport);
    return [id, session];
  };

  const pass = async (
    id: string,
    session: Session,
    { request, body, authInfo }: WebExchange,
  ): Promise<Answer> => {
    use(id, session);
    const parsedBody = body === undefined ? {} : { parsedBody: body };
    const response = await session.transport.handleRequest(request, { ...parsedBody, authInfo });
    if (!response.ok && !session.transport.sessionId) sessions.delete(id);
    const hold = (): (() => void) => {
      session.open += 1;
      return () => {
        session.open -= 1;
        use(id, session);
      };
    };
    return await toAnswer(response, { onStop: "drain", stopping, hold });
  };

  return {
    async answer(exchange) {
      forgetOld();
      const id = exchange.request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        return session === undefined
          ? refuse(404, -32_001, "There is no such session; initialize a new one")
          : await pass(id, session, exchange);
      }
      if (!isInitializeRequest(exchange.body))
        return refuse(400, -32_000, "Neither a session nor a request for one; initialize first");
      return await pass(...(await begin()), exchange);
    },
  };
}

function refuse(status: number, code: number, message: string): Answer {
  return { kind: "json", status, body: { jsonrpc: "2.0", id: null, error: { code, message } } };
}
