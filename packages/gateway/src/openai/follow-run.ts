import type { EventLog, Usage } from "@deputy/protocol";
import { projectStreamEvents } from "@deputy/protocol/projections";
import { type AnswerPart, createAnswerFeed } from "@deputy/protocol/openai";
import { GatewayError } from "../gateway-error.ts";
import type { Answering } from "./start-answer.ts";
import type { StartedRun } from "./start-run.ts";

/** The events of a run until its end. Ends early, without throwing, when the signal aborts. */
export async function* followRun(
  log: EventLog,
  { runId, stream, after }: StartedRun,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const feed = createAnswerFeed();
  for await (const item of log.subscribe(stream, { after }, signal)) {
    const { turnId } = item.kind === "delta" ? item.delta : item.event;
    if (turnId !== runId) continue;
    for (const part of projectStreamEvents(item).flatMap(feed)) {
      yield part;
      if (part.kind !== "text") return;
    }
  }
}

/**
 * The whole answer at once. Rejects with `run_failed` or `run_aborted`, or with the signal's reason. The error tells
 * clients not to retry automatically, because the run may already have had effects.
 */
export async function wholeAnswer(
  answering: Answering,
  signal: AbortSignal,
): Promise<{ readonly run: StartedRun; readonly text: string; readonly usage: Usage }> {
  const { run, parts } = await answering(signal);
  let text = "";
  for await (const part of parts) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "done") return { run, text, usage: part.usage };
    else throw failureOf(part);
  }
  signal.throwIfAborted();
  throw new GatewayError("shutting_down", "The log was closed");
}

export function failureOf(part: Extract<AnswerPart, { kind: "failed" }>): GatewayError {
  return new GatewayError(part.status === "aborted" ? "run_aborted" : "run_failed", part.message, {
    headers: { "x-should-retry": "false" },
  });
}
