import type { Clock } from "@deputy/kit";
import { type ChatHead, chatCompletion, type ChatRequest, readSaid } from "@deputy/protocol/openai";
import { type Answer, type BearerRequest, ok } from "../route.ts";
import { chatFrames } from "./answer-frames.ts";
import { awaitRun } from "./follow-run.ts";
import { assertSaid, type OpenAiDeps, startRun } from "./start-run.ts";

/** Answers `POST /v1/chat/completions`. */
export async function answerChat(
  deps: OpenAiDeps & { readonly clock: Clock },
  body: ChatRequest,
  request: BearerRequest,
): Promise<Answer> {
  const { model, messages, metadata, stream, stream_options: streaming } = body;
  const said = assertSaid(readSaid(messages, "messages"));
  const ends = request.ends();
  const place = { model, session: metadata?.["session"] };
  const run = await startRun(deps, place, said, { by: request.caller.name, ends });
  const head: ChatHead = {
    runId: run.runId,
    createdMs: deps.clock.now(),
    model,
    metadata: { ...metadata, session: run.stream },
  };
  if (stream === true) {
    const usage = streaming?.include_usage === true ? "included" : "left_out";
    return { kind: "event_stream", frames: chatFrames(deps.log, run, head, { usage, ends }) };
  }
  const { text, usage } = await awaitRun(deps.log, run, ends);
  return ok(chatCompletion(head, text, usage));
}
