import {
  type AnswerPart,
  type ChatHead,
  chatChunk,
  chatUsageChunk,
  createResponsesFeed,
  type ResponsesHead,
  withOpenAiError,
} from "@deputy/protocol/openai";
import { groupFrame } from "../event-frame.ts";
import { problemOf } from "../problem.ts";
import type { EventFrames } from "../route.ts";
import { failureOf } from "./follow-run.ts";
import type { Answering } from "./start-answer.ts";
import type { StartedRun } from "./start-run.ts";

/** A run as the chunks of a chat completion. */
export function chatFrames(
  answering: Answering,
  headOf: (run: StartedRun) => ChatHead,
  options: { readonly usage: "included" | "left_out"; readonly ends: AbortSignal },
): EventFrames {
  const frameOf = (head: ChatHead, part: AnswerPart): string => {
    if (part.kind === "text") return groupFrame([chatChunk(head, { content: part.text })]);
    if (part.kind === "failed") return errorFrame(failureOf(part));
    const usage = options.usage === "included" ? [chatUsageChunk(head, part.usage)] : [];
    return `${groupFrame([chatChunk(head, {}, "stop"), ...usage])}data: [DONE]\n\n`;
  };
  return async function* frames(signal) {
    const { run, parts } = await answering(signal);
    const head = headOf(run);
    yield groupFrame([chatChunk(head, { role: "assistant", content: "" })]);
    let isOver = false;
    for await (const part of parts) {
      isOver = part.kind !== "text";
      yield frameOf(head, part);
    }
    // A stream that just ended would look like a complete answer.
    if (!isOver && options.ends.aborted) yield errorFrame(options.ends.reason);
  };
}

/** A run as the events of a response. */
export function responsesFrames(
  answering: Answering,
  headOf: (run: StartedRun) => ResponsesHead,
  ends: AbortSignal,
): EventFrames {
  return async function* frames(signal) {
    const { run, parts } = await answering(signal);
    const feed = createResponsesFeed(headOf(run));
    const told = (events: ReturnType<typeof feed.start>): string =>
      events.map((event) => `event: ${event.type}\n${groupFrame([event])}`).join("");
    yield told(feed.start());
    let isOver = false;
    for await (const part of parts) {
      isOver = part.kind !== "text";
      yield told(feed.apply(part));
    }
    if (isOver || !ends.aborted) return;
    const { code, detail, title } = problemOf(ends.reason);
    yield told(feed.apply({ kind: "failed", status: "failed", code, message: detail ?? title }));
  };
}

function errorFrame(error: unknown): string {
  return groupFrame([{ error: withOpenAiError(problemOf(error), undefined).error }]);
}
