import { abortReason, type SessionId, type TurnId } from "@deputy/kit";
import type { LogItem, Response, StreamEvent } from "@deputy/protocol";
import { createResponseReducer, createRunTelling, endsRun, withResponse } from "@deputy/protocol/projections";
import type { Questions } from "./answer-questions.ts";
import type { RunEvents, RunResult } from "./deputy.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { SDK_CHANNEL } from "./sdk-channel.ts";
import { closedError, SdkError } from "./sdk-error.ts";

export interface RunPlace {
  readonly session: SessionId;
  readonly runId: TurnId;
  /** The `seq` from which the run is followed. */
  readonly after: number;
}

/**
 * A run's output through its end, which is then in the log. `stop` stops it, as leaving the loop does; with
 * `closing` it is left running.
 */
export async function* followRun(
  engine: EmbeddedEngine,
  { session, runId, after }: RunPlace,
  questions: Pick<Questions, "onFailure">,
  stop: AbortSignal,
  closing: AbortSignal,
): RunEvents {
  const { log, conversations, onBug } = engine;
  const reducer = createResponseReducer(runId);
  // A message may join a run that has started long ago: nothing is held back.
  const told = createRunTelling("further_on");
  const broken = new AbortController();
  let failure: SdkError | undefined;
  let isEnded = false;
  let seq = after;

  const abort = async (): Promise<void> => {
    if (!isEnded && !closing.aborted) await conversations.abort(runId, SDK_CHANNEL);
  };
  const onStop = (): void => void abort().catch(onBug);
  using _ = questions.onFailure(session, (error) => {
    failure ??= error;
    onStop();
  });
  const eventsOf = (item: LogItem): readonly StreamEvent[] => {
    if (item.kind === "event") seq = item.event.seq;
    const { turnId } = item.kind === "delta" ? item.delta : item.event;
    const events = turnId === runId ? told.add(item) : [];
    for (const event of events) reducer.apply(event);
    isEnded ||= events.some(endsRun);
    const response = isEnded ? reducer.response() : undefined;
    if (response === undefined) return events;
    return events.map((event) => withResponse(event, response));
  };
  const result = (): RunResult => {
    const response = reducer.response();
    if (response === undefined) throw new Error(`${runId} ended and said nothing`);
    if (failure !== undefined) throw failure;
    if (response.status === "aborted" && stop.aborted) throw abortReason(stop);
    return toResult(response);
  };

  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  // If the end of a run could not be written, there is none to wait for.
  void conversations.idle(session).then(() => broken.abort());
  try {
    for await (const item of log.subscribe(session, { after }, AbortSignal.any([closing, broken.signal]))) {
      yield* eventsOf(item);
      if (isEnded) return result();
    }
    if (closing.aborted) throw closedError();
    for await (const event of log.read(session, { after: seq })) {
      yield* eventsOf({ kind: "event", event });
      if (isEnded) return result();
    }
    throw new SdkError("run_interrupted", "The run broke off, and its end could not be written", {
      hint: "The log accepts nothing, for example because the disk is full. What was done before is in it; resume the session later.",
    });
  } finally {
    stop.removeEventListener("abort", onStop);
    await abort();
  }
}

function toResult(response: Response): RunResult {
  const { status, error, output, usage, cost } = response;
  const said = output.findLast((item) => item.type === "message" && item.role === "assistant");
  const outcome = {
    sessionId: response.thread_id,
    runId: response.id,
    text: said?.type === "message" ? said.text : "",
    output,
    usage,
    cost,
  };
  if (status === "completed") return { status, ...outcome };
  if (status === "in_progress" || error === null) throw new Error(`${response.id} has no end`);
  return { status, error, ...outcome };
}
