import { randomUUID } from "node:crypto";
import type { AgentRegistry } from "@deputy/agent";
import { type SessionEntry, sessionKeyOf, type SessionService } from "@deputy/agent/sessions";
import { parseId } from "@deputy/kit";
import { GatewayError } from "../gateway-error.ts";

/** A new conversation with its own key. Rejects with `unknown_agent`. */
export async function startSession(
  deps: { readonly agents: AgentRegistry; readonly sessions: SessionService },
  request: { readonly agentId: string; readonly channel: string },
  signal: AbortSignal,
): Promise<SessionEntry> {
  const { agentId, channel } = request;
  await deps.agents.read(agentId, signal);
  return await deps.sessions.start({
    agentId,
    channel,
    key: sessionKeyOf({ channel, sender: randomUUID() }),
  });
}

/**
 * An existing conversation, to continue. Rejects with `not_found`, and with `invalid_request` for one that
 * belongs to a task or to another agent. `fields` are the request's names for what it asked for.
 */
export async function findSession(
  sessions: SessionService,
  wanted: { readonly id: string; readonly agentId: string | undefined },
  fields: { readonly id: string; readonly agentId: string },
): Promise<SessionEntry> {
  const id = parseId("session", wanted.id);
  const session = id === undefined ? undefined : await sessions.find(id);
  if (session === undefined)
    throw new GatewayError("not_found", `${fields.id}: there is no such conversation`, { field: fields.id });
  if (session.isTask)
    throw new GatewayError("invalid_request", `${fields.id}: it belongs to a task`, { field: fields.id });
  if (wanted.agentId === undefined || wanted.agentId === session.agentId) return session;
  throw new GatewayError(
    "invalid_request",
    `${fields.agentId}: the conversation is with ${session.agentId}`,
    {
      field: fields.agentId,
    },
  );
}
