import type { Clock } from "@deputy/kit";
import {
  readFormat,
  readResponsesInput,
  type ResponsesHead,
  responsesObject,
  type ResponsesRequest,
} from "@deputy/protocol/openai";
import { type Answer, type BearerRequest, ok } from "../route.ts";
import { responsesFrames } from "./answer-frames.ts";
import { wholeAnswer } from "./follow-run.ts";
import { assertFormat, startAnswer } from "./start-answer.ts";
import { assertSaid, type OpenAiDeps, type StartedRun } from "./start-run.ts";

/** Answers `POST /v1/responses`. */
export async function answerResponses(
  deps: OpenAiDeps & { readonly clock: Clock },
  body: ResponsesRequest,
  request: BearerRequest,
): Promise<Answer> {
  const { model, metadata, stream, previous_response_id: previous } = body;
  const said = assertSaid(readResponsesInput(body));
  const wanted = body.text?.format;
  const format = assertFormat(readFormat(wanted?.type, wanted, "text.format.schema"));
  const ends = request.ends();
  const place = { model, session: metadata?.["session"], previous: previous ?? undefined };
  const answering = await startAnswer(deps, place, said, { by: request.caller.name, ends, format });
  const createdMs = deps.clock.now();
  const headOf = (run: StartedRun): ResponsesHead => ({
    runId: run.runId,
    createdMs,
    model,
    previous: previous ?? null,
    metadata: { ...metadata, session: run.stream },
  });
  if (stream === true) return { kind: "event_stream", frames: responsesFrames(answering, headOf, ends) };
  const { run, ...whole } = await wholeAnswer(answering, ends);
  return ok(responsesObject(headOf(run), { status: "completed", ...whole }));
}
