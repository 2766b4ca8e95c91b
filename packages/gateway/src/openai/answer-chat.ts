import type { Clock } from "@deputy/kit";
import {
  type ChatHead,
  chatCompletion,
  type ChatRequest,
  readFormat,
  readSaid,
} from "@deputy/protocol/openai";
import { type Answer, type BearerRequest, ok } from "../route.ts";
import { chatFrames } from "./answer-frames.ts";
import { wholeAnswer } from "./follow-run.ts";
import { assertFormat, startAnswer } from "./start-answer.ts";
import { assertSaid, type OpenAiDeps, type StartedRun } from "./start-run.ts";

/** Answers `POST /v1/chat/completions`. */
export async function answerChat(
  deps: OpenAiDeps & { readonly clock: Clock },
  body: ChatRequest,
  request: BearerRequest,
): Promise<Answer> {
  const { model, messages, metadata, stream, stream_options: streaming, response_format: wanted } = body;
  const said = assertSaid(readSaid(messages, "messages"));
  const format = assertFormat(readFormat(wanted?.type, wanted?.json_schema, "response_format.json_schema"));
  const ends = request.ends();
  const place = { model, session: metadata?.["session"] };
  const answering = await startAnswer(deps, place, said, { by: request.caller.name, ends, format });
  const createdMs = deps.clock.now();
  const headOf = (run: StartedRun): ChatHead => ({
    runId: run.runId,
    createdMs,
    model,
    metadata: { ...metadata, session: run.stream },
  });
  if (stream === true) {
    const usage = streaming?.include_usage === true ? "included" : "left_out";
    return { kind: "event_stream", frames: chatFrames(answering, headOf, { usage, ends }) };
  }
  const { run, text, usage } = await wholeAnswer(answering, ends);
  return ok(chatCompletion(headOf(run), text, usage));
}
