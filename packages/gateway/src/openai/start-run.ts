import type { AgentRegistry } from "@deputy/agent";
import type { SessionEntry, SessionService } from "@deputy/agent/sessions";
import { makeVisible, type TurnId } from "@deputy/kit";
import {
  type BlobStore,
  type EventData,
  type EventLog,
  isSessionStream,
  type NewEvent,
  type StreamId,
} from "@deputy/protocol";
import type { EarlierMessage, ReadSaid, Said, SaidPicture } from "@deputy/protocol/openai";
import type { ConversationMessage, Conversations } from "@deputy/tasks";
import { GatewayError } from "../gateway-error.ts";
import { ClientGone } from "../route.ts";
import type { RunIndex } from "../runs/run-index.ts";
import { findSession, startSession } from "../runs/start-session.ts";

export interface OpenAiDeps {
  readonly log: EventLog;
  readonly sessions: SessionService;
  readonly agents: AgentRegistry;
  readonly conversations: Conversations;
  readonly blobs: Pick<BlobStore, "put">;
  readonly runs: RunIndex;
  readonly onBug: (error: unknown) => void;
}

export interface StartedRun {
  readonly runId: TurnId;
  readonly stream: StreamId;
  /** The number of the message. Events after it are about it. */
  readonly after: number;
}

/** The place of a message: a new session, a named one, or after a run. */
export interface Place {
  readonly model: string;
  readonly session?: string | undefined;
  readonly previous?: TurnId | undefined;
}

/** The client wants the answer in a form of its own. */
export interface FormatRequest {
  /** Before the message, as the client's: it may come from anywhere. */
  readonly told: string;
  /** After it, and nobody's word. */
  readonly asked: string;
}

interface Sender {
  readonly by: string;
  readonly ends: AbortSignal;
  readonly format?: FormatRequest | undefined;
}

const CHANNEL = "openai";

/**
 * Sends a message to an agent as a client of OpenAI's API does. In a new session, the client's earlier messages come
 * first; in one that continues after a run, all new messages. A client that names a session sends the whole
 * conversation each time: there only the last message counts. When the client leaves, the run is stopped.
 */
export async function startRun(
  deps: OpenAiDeps,
  place: Place,
  said: Said,
  request: Sender,
): Promise<StartedRun> {
  const { log } = deps;
  const before = place.session === undefined ? said.earlier : [];
  const all = [...before.flatMap(({ pictures }) => pictures), ...said.pictures];
  const keep = all.length === 0 ? async () => [] : await pictureKeeper(deps, all, request.ends);
  const { id: stream } = await sessionAt(deps, place, request.ends);
  const earlier: NewEvent[] = [];
  for (const message of before) earlier.push(earlierEvent(message, await keep(message.pictures)));
  if (request.format !== undefined)
    earlier.push(earlierEvent({ role: "system", text: request.format.told }, []));
  const attachments = await keep(said.pictures);
  if (earlier.length > 0) await log.append(stream, earlier);
  const { asked = "" } = request.format ?? {};
  const own = { start: 0, end: said.text.length };
  return await sendAs(
    deps,
    { session: stream, text: said.text + asked, attachments, ...(asked !== "" && { said: own }) },
    request,
  );
}

/** Says something in the session of a run that is no word of the user's, and explains nothing. */
export async function sendNote(
  deps: OpenAiDeps,
  { stream }: StartedRun,
  text: string,
  request: Sender,
): Promise<StartedRun> {
  if (!isSessionStream(stream)) throw new Error("A run of no session");
  return await sendAs(deps, { session: stream, text, said: { start: 0, end: 0 } }, request);
}

async function sendAs(
  deps: OpenAiDeps,
  message: Pick<ConversationMessage, "session" | "text" | "attachments" | "said">,
  request: Sender,
): Promise<StartedRun> {
  const place = { channel: CHANNEL, sender: request.by, trust: "user" as const };
  const { runId, seq } = await deps.conversations.send({ ...message, ...place });
  stopWhenGone(deps, runId, request);
  return { runId, stream: message.session, after: seq };
}

/** Loaded only for requests with pictures. */
async function pictureKeeper({ blobs }: OpenAiDeps, pictures: readonly SaidPicture[], signal: AbortSignal) {
  const { readPictures } = await import("./keep-pictures.ts");
  return readPictures(blobs, pictures, signal);
}

type Attachments = EventData<"user.message">["attachments"];

/** Throws `invalid_request` for an invalid message. */
export function assertSaid(read: ReadSaid): Said {
  if (read.kind === "said") return read.said;
  throw new GatewayError("invalid_request", `${read.field}: ${read.message}`, { field: read.field });
}

async function sessionAt(deps: OpenAiDeps, place: Place, signal: AbortSignal): Promise<SessionEntry> {
  const { sessions } = deps;
  if (place.session !== undefined) {
    const fields = { id: "metadata.session", agentId: "model" };
    return await findSession(sessions, { id: place.session, agentId: place.model }, fields);
  }
  if (place.previous === undefined) {
    await readModel(deps, place.model, signal);
    return await startSession(deps, { agentId: place.model, channel: CHANNEL }, signal);
  }
  const fields = { id: "previous_response_id", agentId: "model" };
  const id = await streamAfter(deps, place.previous);
  return await findSession(sessions, { id, agentId: place.model }, fields);
}

/** Rejects with `model_not_found`, which is how OpenAI's clients know it. */
export async function readModel(
  { agents }: Pick<OpenAiDeps, "agents">,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const { slugs } = await agents.list(signal);
  if (slugs.includes(model)) return;
  throw new GatewayError("model_not_found", `The model “${makeVisible(model)}” does not exist`, {
    hint: `Each agent is a model: ${slugs.slice(0, 20).join(", ")}`,
  });
}

/** The session in which a run's conversation continues: its own, or a fork when other messages came there since. */
async function streamAfter({ log, runs, sessions }: OpenAiDeps, runId: TurnId): Promise<string> {
  const field = "previous_response_id";
  const run = await runs.find(runId);
  if (run === undefined || !isSessionStream(run.stream))
    throw new GatewayError("not_found", `${field}: there is no such run`, { field });
  const { stream, endSeq } = run;
  if (endSeq === undefined)
    throw new GatewayError("invalid_request", `${field}: that run is still going on`, { field });
  for await (const { turnId } of log.read(stream, { after: endSeq })) {
    if (turnId === undefined || turnId === runId) continue;
    const fork = await sessions.fork(stream, { throughSeq: endSeq });
    if (fork.kind === "forked") return fork.session.id;
    throw new GatewayError("not_found", `${field}: nothing is left of that run`, { field });
  }
  return stream;
}

/**
 * An earlier message according to the client. Messages of its user count as the user's. Messages that it attributes
 * to the assistant, a tool or an instruction may come from anywhere, so they are untrusted, and the agent sees them
 * marked as such.
 */
function earlierEvent(
  { role, text }: Pick<EarlierMessage, "role" | "text">,
  attachments: Attachments,
): NewEvent {
  const isUser = role === "user";
  return {
    type: "user.message",
    data: {
      text: isUser ? text : `[From the client, an earlier message of the role “${role}”:]\n${text}`,
      attachments,
      channel: CHANNEL,
      sender: role,
      trust: isUser ? "user" : "untrusted",
    },
  };
}

function stopWhenGone(
  { conversations, onBug }: OpenAiDeps,
  runId: TurnId,
  { by, ends }: { readonly by: string; readonly ends: AbortSignal },
): void {
  const stop = (): void => {
    if (ends.reason instanceof ClientGone) void conversations.abort(runId, by).catch(onBug);
  };
  if (ends.aborted) stop();
  else ends.addEventListener("abort", stop, { once: true });
}
