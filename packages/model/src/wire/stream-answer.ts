import { abortReason, throwIfAborted } from "@deputy/kit";
import type { ModelEvent, ModelRequest, ModelUsage, StopReason } from "../model.ts";
import { toModelError, WireFailure } from "./failure.ts";
import { classifyFault } from "./provider-fault.ts";
import type { Provider } from "./provider.ts";
import { type WatchedWire, watchWire, type WireDeps } from "./watched-wire.ts";

/** A finished call; its arguments are a JSON object, or what the model wrote instead of one. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string;
  readonly inputJson: string;
}

/** The result of an answer once its stream has ended. */
export interface FinishedAnswer {
  readonly opaque?: string | undefined;
  readonly calls: readonly FinishedCall[];
  readonly usage?: ModelUsage | undefined;
  readonly stop: StopReason;
}

/** Turns one wire's events into the port's; used for one answer. Throws a `WireFailure` for nonsense. */
export interface Translator {
  /** `event` is parsed JSON of any shape. */
  read(event: unknown): Iterable<ModelEvent>;
  /** After the last event: returns what was held back until its kind was clear. */
  flush?(): Iterable<ModelEvent>;
  /**
   * Called after `flush`; undefined if the answer's end was not among the events. `tail`: the stream's last
   * bytes.
   */
  finish(tail: string): FinishedAnswer | undefined;
}

export interface AnswerSource {
  readonly provider: Provider;
  readonly request: ModelRequest;
  /** Sends the request and gives the events as they come. */
  open(wire: WatchedWire): Promise<AsyncIterable<unknown>>;
  readonly translator: Translator;
}

/** One answer over one wire, in the port's order; every failure becomes a `ModelError` or the abort's reason. */
export async function* streamAnswer(
  deps: WireDeps,
  source: AnswerSource,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  throwIfAborted(signal);
  const { provider, request, translator } = source;
  await using wire = watchWire(deps, signal);
  let output: "none" | "some" = "none";
  let hasText = false;
  const explain = (error: unknown): Error => {
    const failure = error instanceof WireFailure ? error : readSdkError(error, deps.clock.now());
    return toModelError(failure, provider, output);
  };
  const note = (part: ModelEvent): ModelEvent => {
    output = "some";
    hasText ||= part.kind === "text" && part.text.trim() !== "";
    return part;
  };
  try {
    if (!URL.canParse(provider.baseUrl)) throw new WireFailure("connection_failed", "");
    for await (const event of await source.open(wire)) {
      for (const part of translator.read(event)) yield note(part);
    }
    // SDKs end a stream quietly when it is aborted.
    throwIfAborted(wire.signal);
    for (const part of translator.flush?.() ?? []) yield note(part);
    const answer = translator.finish(wire.tail());
    if (answer === undefined) throw new WireFailure("stream_cut", "");
    if (!hasText && isEmpty(answer, request)) throw new WireFailure("empty_answer", "");
    yield* conclude(answer);
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    throw explain(error instanceof WireFailure ? error : (wire.failure() ?? error));
  }
}

/**
 * True if an answer without text counts as empty. Reasoning alone is not an answer. After results, or when it
 * was asked to continue, a model may have nothing to add; but after an empty pause it would get the same
 * request again.
 */
function isEmpty({ calls, stop }: FinishedAnswer, { messages }: ModelRequest): boolean {
  if (calls.length > 0) return false;
  return stop === "pause" || (stop === "end" && (messages.at(-1)?.role ?? "user") === "user");
}

function* conclude(answer: FinishedAnswer): Iterable<ModelEvent> {
  const { opaque, usage, stop } = answer;
  const isRefused = stop === "refusal" || stop === "content_filter";
  if (opaque !== undefined && !isRefused) yield { kind: "reasoning_done", opaque };
  if (!isRefused) for (const call of answer.calls) yield { kind: "tool_call", ...call };
  if (usage !== undefined) yield { kind: "usage", usage };
  yield { kind: "stop", reason: stop };
}

/** Both SDKs throw `{status, error}` for an error that the provider reports in a stream; others are rethrown. */
function readSdkError(error: unknown, nowMs: number): WireFailure {
  if (error instanceof SyntaxError)
    return new WireFailure("garbage", "an event is not JSON", { cause: error });
  if (!(error instanceof Error) || !("status" in error) || !("error" in error)) throw error;
  return classifyFault({ body: error.error }, nowMs);
}
