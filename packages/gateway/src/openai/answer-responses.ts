import type { Clock } from "@deputy/kit";
import {
  readResponsesInput,
  type ResponsesHead,
  responsesObject,
  type ResponsesRequest,
} from "@deputy/protocol/openai";
import { type Answer, type BearerRequest, ok } from "../route.ts";
import { responsesFrames } from "./answer-frames.ts";
import { awaitRun } from "./follow-run.ts";
import { assertSaid, type OpenAiDeps, startRun } from "./start-run.ts";

/** Answers `POST /v1/responses`. */
export async function answerResponses(
  deps: OpenAiDeps & { readonly clock: Clock },
  body: ResponsesRequest,
  request: BearerRequest,
): Promise<Answer> {
  const { model, metadata, stream, previous_response_id: previous } = body;
  const said = assertSaid(readResponsesInput(body));
  const ends = request.ends();
  const place = { model, session: metadata?.["session"], previous: previous ?? undefined };
  const run = await startRun(deps, place, said, { by: request.caller.name, ends });
  const head: ResponsesHead = {
    runId: run.runId,
    createdMs: deps.clock.now(),
    model,
    previous: previous ?? null,
    metadata: { ...metadata, session: run.stream },
  };
  if (stream === true) return { kind: "event_stream", frames: responsesFrames(deps.log, run, head, ends) };
  return ok(responsesObject(head, { status: "completed", ...(await awaitRun(deps.log, run, ends)) }));
}
