import type { SessionEntry, SessionService, SessionSummary } from "@deputy/agent/sessions";
import type { Conversations } from "@deputy/tasks";
import { GatewayError } from "../../gateway-error.ts";
import type { RpcHandlers } from "../rpc-context.ts";

type SessionsNames =
  | "sessions.list"
  | "sessions.update"
  | "sessions.delete"
  | "sessions.fork"
  | "sessions.search";

const FOUND_MESSAGES = 30;

/** What people do with conversations as a whole. */
export function sessionsHandlers(deps: {
  readonly sessions: SessionService;
  readonly conversations: Pick<Conversations, "abort" | "openRun">;
  /** Rejects with `invalid_request` unless it can be chosen. */
  readonly assertModel: (model: string, signal: AbortSignal) => Promise<void>;
}): RpcHandlers<SessionsNames> {
  const { sessions, conversations } = deps;
  return {
    "sessions.list": async ({ limit, ids }) => {
      const listed = await sessions.list({
        ...(limit !== undefined && { limit }),
        ...(ids !== undefined && { ids, limit: ids.length }),
      });
      return { sessions: listed.map(shownListed) };
    },
    "sessions.update": async ({ sessionKey, title, archived, model, effort }, { caller, signal }) => {
      const { id } = await findSession(sessions, sessionKey);
      if (model !== undefined && model !== null) await deps.assertModel(model, signal);
      const name = title?.trim();
      const change = {
        ...(name !== undefined && { title: name === "" ? null : name }),
        ...(archived !== undefined && { archived }),
        ...(model !== undefined && { model }),
        ...(effort !== undefined && { effort }),
      };
      await sessions.update(id, change, caller.name);
      return { ok: true };
    },
    "sessions.delete": async ({ sessionKey }, { caller }) => {
      const { id, isTask } = await findSession(sessions, sessionKey);
      if (isTask)
        throw new GatewayError("invalid_request", "It belongs to a task", {
          hint: "Cancel the task instead",
        });
      const running = conversations.openRun(id);
      if (running !== undefined) await conversations.abort(running, caller.name);
      await sessions.remove(id, caller.name);
      return { ok: true };
    },
    "sessions.fork": async ({ sessionKey, throughSeq }) => {
      const { id } = await findSession(sessions, sessionKey);
      const forked = await sessions.fork(id, throughSeq === undefined ? {} : { throughSeq });
      if (forked.kind !== "forked")
        throw new GatewayError("not_found", "There is nothing to copy: no answer had ended by then");
      return { sessionId: forked.session.id, throughSeq: forked.throughSeq };
    },
    "sessions.search": async ({ query, limit = FOUND_MESSAGES }, { signal }) => {
      const { hits, ended } = await sessions.search(query, { hits: limit }, signal);
      return {
        hits: hits.map(({ session: sessionId, seq, at, role, snippet }) => ({
          sessionId,
          seq,
          at,
          role,
          snippet,
        })),
        hasMore: ended !== "all_searched",
      };
    },
  };
}

/** By id or key. Rejects with `not_found`. */
export async function findSession(
  sessions: Pick<SessionService, "find">,
  idOrKey: string,
): Promise<SessionEntry> {
  const session = await sessions.find(idOrKey);
  if (session === undefined) throw new GatewayError("not_found", "There is no such session");
  return session;
}

export function shownSession(entry: SessionEntry) {
  const { id, key, agentId, channel, startedAt, lastAt, turns, isTask, model, effort } = entry;
  const shown = { id, key, agentId, channel, startedAt, lastAt, turns, isTask };
  return { ...shown, ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
}

function shownListed(entry: SessionSummary) {
  const { title, events, name, isArchived = false, openTurns = 0 } = entry;
  const state = { isNamed: name !== undefined, isArchived, isRunning: openTurns > 0 };
  return { ...shownSession(entry), title, events, ...state };
}
