import type { AgentRegistry } from "@deputy/agent";
import type { SessionEntry, SessionService } from "@deputy/agent/sessions";
import { parseId, type TurnId } from "@deputy/kit";
import type { BlobStore, EventLog, StreamEvent, Thread } from "@deputy/protocol";
import { createRunTelling, endsRun, hydrateResponses, withResponse } from "@deputy/protocol/projections";
import {
  responseSchema,
  streamEventSchema,
  submitRunSchema,
  submittedRunSchema,
  threadDetailSchema,
  threadListSchema,
} from "@deputy/protocol/wire";
import type { Conversations } from "@deputy/tasks";
import { groupFrame, readCursor } from "../event-frame.ts";
import { GatewayError } from "../gateway-error.ts";
import { accepted, ok, type Route } from "../route.ts";
import { events, json, type QueryDoc } from "../route-doc.ts";
import { findAttachments } from "../runs/find-attachments.ts";
import { readResponse } from "../runs/read-response.ts";
import type { FoundRun, RunIndex } from "../runs/run-index.ts";
import { findSession, startSession } from "../runs/start-session.ts";
import { validate } from "../validate.ts";
import type { FrameFeed } from "../feeds/frame-feed.ts";

const limitDoc: QueryDoc = { description: "How many at most", pattern: "^[1-9][0-9]{0,2}$" };

const DEFAULT_LISTED = 50;

const CHANNEL = "api";

/** Runs and threads, as design 002 has them: a thread is a session, a run is a turn. */
export function runsRoutes(deps: {
  readonly log: EventLog;
  readonly sessions: SessionService;
  readonly agents: AgentRegistry;
  readonly defaultAgent: string;
  readonly conversations: Conversations;
  readonly blobs: Pick<BlobStore, "open">;
  readonly runs: RunIndex;
}): readonly Route[] {
  const { log, sessions, conversations } = deps;
  return [
    {
      method: "POST",
      path: "/api/v2/submit",
      auth: "bearer",
      doc: {
        summary: "Send a message in a thread, or in a new one",
        body: submitRunSchema,
        answers: { 202: json(submittedRunSchema) },
      },
      handle: async ({ body, caller, ends }) => {
        const { prompt, threadId, agentId, attachments: refs = [] } = validate(submitRunSchema, body);
        const attachments = await findAttachments(deps.blobs, refs);
        const session =
          threadId === undefined
            ? await startSession(deps, { agentId: agentId ?? deps.defaultAgent, channel: CHANNEL }, ends())
            : await findSession(sessions, { id: threadId, agentId }, { id: "threadId", agentId: "agentId" });
        const message = { text: prompt, channel: CHANNEL, sender: caller.name, trust: "user" as const };
        const { runId } = await conversations.send({ session: session.id, attachments, ...message });
        return accepted({ runId, turnId: runId, threadId: session.id });
      },
    },
    {
      method: "GET",
      path: "/api/v2/stream/:runId",
      auth: "bearer",
      doc: {
        summary: "A run's events, from its beginning to its end",
        answers: { 200: events(streamEventSchema) },
      },
      handle: async ({ params, lastEventId }) => {
        const runId = parseId("turn", params["runId"] ?? "");
        const run = runId === undefined ? undefined : await deps.runs.find(runId);
        if (runId === undefined || run === undefined)
          throw new GatewayError("not_found", "There is no such run");
        const after = await readCursor(log, run.stream, lastEventId);
        return { kind: "event_feed", feed: runFeed(log, runId, run), after };
      },
    },
    {
      method: "GET",
      path: "/api/v2/runs/:runId",
      auth: "bearer",
      doc: {
        summary: "A run as it is now: its items, usage and how it ended",
        answers: { 200: json(responseSchema) },
      },
      handle: async ({ params }) => {
        const runId = parseId("turn", params["runId"] ?? "");
        const run = runId === undefined ? undefined : await deps.runs.find(runId);
        const response =
          runId === undefined || run === undefined ? undefined : await readResponse(log, run.stream, runId);
        if (response === undefined) throw new GatewayError("not_found", "There is no such run");
        return ok(response);
      },
    },
    {
      method: "GET",
      path: "/api/v2/threads",
      auth: "bearer",
      doc: {
        summary: "Conversations, the most recently active first",
        query: { limit: limitDoc },
        answers: { 200: json(threadListSchema) },
      },
      handle: async ({ query }) => {
        const found = await sessions.list({ limit: readLimit(query), which: "conversations" });
        return ok({
          threads: found.map((session) => threadOf(session, { title: session.title })),
        });
      },
    },
    {
      method: "GET",
      path: "/api/v2/threads/:id",
      auth: "bearer",
      doc: {
        summary: "A conversation with its last runs",
        query: { limit: limitDoc },
        answers: { 200: json(threadDetailSchema) },
      },
      handle: async ({ params, query }) => {
        const limit = readLimit(query);
        const id = parseId("session", params["id"] ?? "");
        const session = id === undefined ? undefined : await sessions.find(id);
        if (session === undefined) throw new GatewayError("not_found", "There is no such thread");
        const responses = hydrateResponses(await Array.fromAsync(log.read(session.id)));
        const last = { responses: responses.slice(-limit), has_more: responses.length > limit };
        return ok(threadOf(session, last));
      },
    },
  ];
}

function threadOf<More extends object>(session: SessionEntry, more: More): Omit<Thread, "title"> & More {
  const { id, key, agentId, channel, turns, startedAt, lastAt } = session;
  const times = { started_at: startedAt, updated_at: lastAt };
  return { id, key, agent_id: agentId, channel, runs: turns, ...times, ...more };
}

/** The query's `limit`, up to 999. Throws `invalid_request`. */
function readLimit(query: URLSearchParams): number {
  const text = query.get("limit");
  if (text === null) return DEFAULT_LISTED;
  if (new RegExp(limitDoc.pattern).test(text)) return Number(text);
  throw new GatewayError("invalid_request", "limit: must be a number from 1 to 999", { field: "limit" });
}

/** A run's StreamEvents, through its end, which has the whole Response. Deltas have no cursor. */
export function runFeed(log: EventLog, runId: TurnId, { stream, endSeq }: FoundRun): FrameFeed {
  return {
    key: `run ${runId}`,
    transient: "deltas",
    isOver: async (after) => endSeq !== undefined && after >= endSeq,
    head: async () => (await log.head(stream))?.seq ?? 0,
    async *read(after, signal) {
      const told = createRunTelling(after === 0 ? "beginning" : "further_on");
      for await (const item of log.subscribe(stream, { after }, signal)) {
        const seq = item.kind === "delta" ? undefined : item.event.seq;
        const { turnId } = item.kind === "delta" ? item.delta : item.event;
        const due = turnId === runId ? told.add(item) : [];
        const isEnd = due.some(endsRun);
        const shown = isEnd ? await withAll(due) : due;
        yield {
          seq,
          text: shown.length === 0 ? "" : groupFrame(shown, seq),
          isEnd,
          isSettled: told.isSettled(),
        };
        if (isEnd) return;
      }
    },
  };

  async function withAll(due: readonly StreamEvent[]): Promise<readonly StreamEvent[]> {
    const response = await readResponse(log, stream, runId);
    return response === undefined ? due : due.map((event) => withResponse(event, response));
  }
}
