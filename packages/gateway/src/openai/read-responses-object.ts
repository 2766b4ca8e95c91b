import { parseId } from "@deputy/kit";
import { isSessionStream } from "@deputy/protocol";
import {
  createAnswerFeed,
  type ResponsesObject,
  responsesObject,
  type ResponsesState,
} from "@deputy/protocol/openai";
import { projectStreamEvents } from "@deputy/protocol/projections";
import { GatewayError } from "../gateway-error.ts";
import type { OpenAiDeps } from "./start-run.ts";

/** Answers `GET /v1/responses/:id`: a run of a conversation, with all that was said in it. Rejects with `not_found`. */
export async function readResponsesObject(
  { log, runs, sessions }: Pick<OpenAiDeps, "log" | "runs" | "sessions">,
  id: string,
): Promise<ResponsesObject> {
  const runId = parseId("turn", id);
  const run = runId === undefined ? undefined : await runs.find(runId);
  const session =
    run !== undefined && isSessionStream(run.stream) ? await sessions.find(run.stream) : undefined;
  if (runId === undefined || run === undefined || session === undefined)
    throw new GatewayError("not_found", "There is no such response", { field: "response_id" });
  const feed = createAnswerFeed();
  let text = "";
  let state: ResponsesState = { status: "in_progress" };
  let startedAt = session.lastAt;
  for await (const event of log.read(run.stream)) {
    if (event.turnId !== runId) continue;
    if (event.type === "turn.started") startedAt = event.at;
    for (const part of projectStreamEvents({ kind: "event", event }).flatMap(feed)) {
      if (part.kind === "text") text += part.text;
      else if (part.kind === "done") state = { status: "completed", text, usage: part.usage };
      else state = { status: "failed", text, code: part.code, message: part.message };
    }
  }
  const head = { runId, createdMs: Date.parse(startedAt), model: session.agentId, previous: null };
  return responsesObject({ ...head, metadata: { session: session.id } }, state);
}
