import { parseId } from "@deputy/kit";
import { isSessionStream } from "@deputy/protocol";
import {
  createAnswerFeed,
  type ResponsesHead,
  type ResponsesObject,
  responsesObject,
  type ResponsesState,
} from "@deputy/protocol/openai";
import { projectStreamEvents } from "@deputy/protocol/projections";
import { GatewayError } from "../gateway-error.ts";
import type { EventFrames } from "../route.ts";
import { responsesFrames } from "./answer-frames.ts";
import { followRun } from "./follow-run.ts";
import type { OpenAiDeps, StartedRun } from "./start-run.ts";

type Deps = Pick<OpenAiDeps, "log" | "runs" | "sessions">;

/** Answers `GET /v1/responses/:id`: a run of a conversation, with all that was said in it. Rejects with `not_found`. */
export async function readResponsesObject(deps: Deps, id: string): Promise<ResponsesObject> {
  const { run, head } = await findResponse(deps, id);
  const feed = createAnswerFeed();
  let text = "";
  let state: ResponsesState = { status: "in_progress" };
  for await (const event of deps.log.read(run.stream)) {
    if (event.turnId !== run.runId) continue;
    for (const part of projectStreamEvents({ kind: "event", event }).flatMap(feed)) {
      if (part.kind === "text") text += part.text;
      else if (part.kind === "done") state = { status: "completed", text, usage: part.usage };
      else state = { status: "failed", text, code: part.code, message: part.message };
    }
  }
  return responsesObject(head, state);
}

/** The same with `stream=true`: from its beginning to its end, which may be still to come. */
export async function streamResponse(deps: Deps, id: string, ends: AbortSignal): Promise<EventFrames> {
  const { run, head } = await findResponse(deps, id);
  return responsesFrames(
    async (signal) => ({ run, parts: followRun(deps.log, run, signal) }),
    () => head,
    ends,
  );
}

async function findResponse(
  { log, runs, sessions }: Deps,
  id: string,
): Promise<{ readonly run: StartedRun; readonly head: ResponsesHead }> {
  const runId = parseId("turn", id);
  const run = runId === undefined ? undefined : await runs.find(runId);
  const session =
    run !== undefined && isSessionStream(run.stream) ? await sessions.find(run.stream) : undefined;
  if (runId === undefined || run === undefined || session === undefined)
    throw new GatewayError("not_found", "There is no such response", { field: "response_id" });
  let startedAt = session.lastAt;
  for await (const { turnId, type, at } of log.read(run.stream)) {
    if (turnId !== runId || type !== "turn.started") continue;
    startedAt = at;
    break;
  }
  return {
    run: { runId, stream: run.stream, after: 0 },
    head: {
      runId,
      createdMs: Date.parse(startedAt),
      model: session.agentId,
      previous: null,
      metadata: { session: session.id },
    },
  };
}
