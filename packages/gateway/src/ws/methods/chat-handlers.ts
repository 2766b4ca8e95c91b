import { randomUUID } from "node:crypto";
import type { AgentDefinition, AgentRegistry } from "@deputy/agent";
import {
  type SessionEntry,
  sessionKeyOf,
  type SessionService,
  type SessionReader,
  type TranscriptLine,
} from "@deputy/agent/sessions";
import { type BlobStore, type EventLog, HEARTBEAT_CHANNEL, readNote } from "@deputy/protocol";
import type { Conversations } from "@deputy/tasks";
import { toldByHeartbeat } from "@deputy/tasks/heartbeat";
import type { SessionId } from "@deputy/kit";
import type { ChatMessage } from "@deputy/protocol/rpc";
import { GatewayError } from "../../gateway-error.ts";
import { findAttachments } from "../../runs/find-attachments.ts";
import type { RpcHandlers } from "../rpc-context.ts";
import { createSentMessages } from "../sent-messages.ts";
import { findSession, shownSession } from "./sessions-handlers.ts";

/** The most characters of one answer; a client that wants more reads the events. */
const MOST_CHARS = 1_000_000;

const CHANNEL = "ws";

const SHOWN_MESSAGES = 100;

type ChatNames =
  | "agents.list"
  | "sessions.create"
  | "sessions.get"
  | "chat.send"
  | "chat.history"
  | "chat.abort";

export function chatHandlers(deps: {
  readonly agents: AgentRegistry;
  readonly defaultAgent: string;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly log: Pick<EventLog, "head" | "read">;
  readonly blobs: Pick<BlobStore, "open">;
  /** Rejects with `invalid_request` unless it can be chosen. */
  readonly assertModel: (model: string, signal: AbortSignal) => Promise<void>;
}): RpcHandlers<ChatNames> {
  const { agents, sessions, conversations } = deps;

  const headOf = async ({ id }: SessionEntry): Promise<number> => (await deps.log.head(id))?.seq ?? 0;

  const find = (idOrKey: string): Promise<SessionEntry> => findSession(sessions, idOrKey);
  const sentBefore = createSentMessages(deps.log);

  return {
    "agents.list": async (_params, { signal }) => {
      const { slugs } = await agents.list(signal);
      const read = await Promise.all([...new Set(slugs)].map((slug) => agents.read(slug, signal)));
      return {
        agents: read.map((agent) => shownAgent(agent, deps.defaultAgent)),
      };
    },
    "sessions.create": async (params, { signal }) => {
      const { agentId = deps.defaultAgent, channel = CHANNEL, existing = "leave" } = params;
      const { key = sessionKeyOf({ channel, sender: randomUUID() }) } = params;
      if (!key.startsWith(`${channel}--`))
        throw new GatewayError("invalid_request", `A key of the channel ${channel} begins with ${channel}--`);
      // What is gone on with has its agent already.
      const known = existing === "go_on" ? await sessions.find(key) : undefined;
      if (known?.agentId !== agentId) await agents.read(agentId, signal);
      if (params.model !== undefined) await deps.assertModel(params.model, signal);
      const { model, effort } = params;
      const chosen = { ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
      const request = { key, agentId, channel, ...chosen };
      const { kind, session } =
        existing === "go_on"
          ? await sessions.open(request, signal)
          : { kind: "started" as const, session: await sessions.start(request) };
      const head = await headOf(session);
      return { sessionKey: key, sessionId: session.id, outcome: kind, session: shownSession(session), head };
    },
    "sessions.get": async ({ sessionKey }, { signal }) => {
      const session = await find(sessionKey);
      return {
        session: shownSession(session),
        head: await headOf(session),
        ...(await readMessages(sessions, session.id, SHOWN_MESSAGES, signal)),
      };
    },
    "chat.send": async (params, { caller, feeds, afterAnswer }) => {
      const {
        sessionKey,
        message,
        quoted = [],
        attachments = [],
        messageKey,
        again = false,
        sender,
      } = params;
      const { id } = await find(sessionKey);
      const attached = await findAttachments(deps.blobs, attachments);
      // Who speaks for the people of a chat app follows its conversations by their events, over as many connections as
      // that takes; what somebody said there must not be refused for it.
      const isWatched = sender === undefined;
      if (isWatched) feeds.assertRoom(id);
      const send = () =>
        conversations.send({
          session: id,
          text: message,
          attachments: attached,
          quoted,
          channel: sender?.channel ?? CHANNEL,
          sender: sender === undefined ? caller.name : `${sender.channel}:${sender.id}`,
          trust: sender?.trust ?? "user",
          ...(messageKey !== undefined && { messageKey }),
        });
      const { runId, seq } =
        messageKey === undefined
          ? await send()
          : await sentBefore.once(id, messageKey, send, again ? "everywhere" : "lately");
      if (isWatched) afterAnswer(() => feeds.watch(id, runId, seq));
      return { runId };
    },
    "chat.history": async ({ sessionKey, limit = SHOWN_MESSAGES }, { signal }) => {
      const { id } = await find(sessionKey);
      return await readMessages(sessions, id, limit, signal);
    },
    "chat.abort": async ({ runId }, { caller }) => {
      const { kind } = await conversations.abort(runId, caller.name);
      return { ok: kind === "aborted" };
    },
  };
}

function shownAgent(
  { slug: id, model, effort, fallbacks, mode, tools }: AgentDefinition,
  defaultAgent: string,
) {
  return {
    id,
    isDefault: id === defaultAgent,
    mode,
    tools: [...tools],
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(fallbacks.length > 0 && { fallbacks: [...fallbacks] }),
  };
}

/** The last messages of a session, in order: as many as asked for, and fewer when they are very long. */
async function readMessages(
  sessions: Pick<SessionReader, "transcript">,
  session: SessionId,
  limit: number,
  signal: AbortSignal,
): Promise<{ messages: ChatMessage[]; hasMore: boolean }> {
  const messages: ChatMessage[] = [];
  let chars = 0;
  let hasMore = false;
  /** A heartbeat asks in Deputy's own words, which nobody said; its answer counts if it tells something. */
  let isUnasked = false;
  for await (const line of sessions.transcript(session, signal)) {
    const message = messageOf(line);
    if (message === undefined) continue;
    if ("role" in line && line.role === "user") isUnasked = line.channel === HEARTBEAT_CHANNEL;
    if (isUnasked && message.role === "user") continue;
    if (isUnasked && message.role === "assistant" && toldByHeartbeat(message.content) === undefined) continue;
    messages.push(message);
    chars += message.content.length;
    // The last one is never left out, however long it is.
    while (messages.length > limit || (chars > MOST_CHARS && messages.length > 1)) {
      chars -= messages.shift()?.content.length ?? 0;
      hasMore = true;
    }
  }
  return { messages, hasMore };
}

function messageOf(line: TranscriptLine): ChatMessage | undefined {
  if (!("role" in line)) return undefined;
  const { role, content, timestamp, seq } = line;
  const said = { role, content, timestamp, seq };
  const note = line.role === "user" ? readNote({ ...line, text: content }) : undefined;
  if (note !== undefined) return { ...said, role: "notice", content: note.text, from: note.from };
  const attachments = "attachments" in line ? line.attachments : undefined;
  const all = attachments === undefined ? said : { ...said, attachments: [...attachments] };
  if (line.role === "user" || line.role === "assistant") return all;
  const { toolName, callId } = line;
  const error = line.role === "tool_result" ? line.error : undefined;
  return { ...all, toolName, callId, ...(error !== undefined && { error }) };
}
