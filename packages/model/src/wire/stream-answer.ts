import { abortReason, throwIfAborted } from "@deputy/kit";
import { ModelError } from "../model-error.ts";
import type { ModelEvent, ModelUsage, StopReason } from "../model.ts";
import { toModelError, WireFailure } from "./failure.ts";
import { isObject } from "./json.ts";
import { classifyFault } from "./provider-fault.ts";
import type { Provider } from "./provider.ts";
import { type WatchedWire, watchWire, type WireDeps } from "./watched-wire.ts";

/** A finished call; its arguments are a JSON object. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string;
  readonly inputJson: string;
}

/** What an answer comes to once its stream has ended. */
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
  /** After the last event; undefined if the answer's end was not among them. `tail`: the stream's last bytes. */
  finish(tail: string): FinishedAnswer | undefined;
}

export interface AnswerSource {
  readonly provider: Provider;
  /** Sends the request and gives the events as they come. */
  open(wire: WatchedWire): Promise<AsyncIterable<unknown>>;
  readonly translator: Translator;
}

/** One answer over one wire, in the port's order; every way to fail becomes a `ModelError` or the abort's reason. */
export async function* streamAnswer(
  deps: WireDeps,
  source: AnswerSource,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  throwIfAborted(signal);
  await using wire = watchWire(deps, signal);
  let output: "none" | "some" = "none";
  const explain = (error: unknown): Error => {
    // What a replayed cassette, or another fetch of ours, has to say needs no explanation.
    if (error instanceof WireFailure && error.cause instanceof ModelError) return error.cause;
    const failure = error instanceof WireFailure ? error : readSdkError(error, deps.clock.now());
    return toModelError(failure, source.provider, output);
  };
  try {
    if (!URL.canParse(source.provider.baseUrl)) throw new WireFailure("connection_failed", "");
    for await (const event of await source.open(wire)) {
      for (const part of source.translator.read(event)) {
        output = "some";
        yield part;
      }
    }
    // SDKs end a stream quietly when it was aborted.
    throwIfAborted(wire.signal);
    yield* conclude(source.translator.finish(wire.tail()));
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    throw explain(error instanceof WireFailure ? error : (wire.failure() ?? error));
  }
}

function* conclude(answer: FinishedAnswer | undefined): Iterable<ModelEvent> {
  if (answer === undefined) throw new WireFailure("stream_cut", "");
  const { opaque, usage, stop } = answer;
  const isRefused = stop === "refusal" || stop === "content_filter";
  if (opaque !== undefined && !isRefused) yield { kind: "reasoning_done", opaque };
  if (!isRefused) for (const call of answer.calls) yield { kind: "tool_call", ...call };
  if (usage !== undefined) yield { kind: "usage", usage };
  yield { kind: "stop", reason: stop };
}

/** Both SDKs throw `{status, headers, error}` for what the provider reports; anything else is thrown on. */
function readSdkError(error: unknown, nowMs: number): WireFailure {
  if (error instanceof SyntaxError)
    return new WireFailure("garbage", "an event is not JSON", { cause: error });
  if (!(error instanceof Error) || !("status" in error) || !("error" in error)) throw error;
  const status = typeof error.status === "number" ? error.status : undefined;
  const headers = "headers" in error && error.headers instanceof Headers ? error.headers : undefined;
  const body = isObject(error.error) ? error.error : error.message.replace(/^\d{3} /, "");
  return classifyFault({ status, headers, body }, nowMs);
}
