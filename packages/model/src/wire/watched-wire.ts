import { abortReason, type Clock } from "@deputy/kit";
import { WireFailure } from "./failure.ts";
import { parseJson } from "./json.ts";
import { classifyFault, isFault } from "./provider-fault.ts";

export type Fetch = typeof globalThis.fetch;

export interface WireLimits {
  /** How long a provider may send nothing, before and during an answer. */
  readonly silenceMs: number;
  readonly answerBytes: number;
}

export interface WireDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly limits: WireLimits;
}

/** Less than five minutes, the limit of Node's own fetch; local servers may load a model first. */
export const DEFAULT_WIRE_LIMITS: WireLimits = { silenceMs: 280_000, answerBytes: 64 * 1024 * 1024 };

/**
 * The fetch of one request, below the SDKs: knows whether the connection failed, was cut, fell silent or
 * ended properly, and what the provider said instead of an answer, even if an SDK hides it. Once closed, it
 * has no timer and no listener left.
 */
export interface WatchedWire extends AsyncDisposable {
  readonly fetch: Fetch;
  /** Aborts with the caller's signal, and when the provider is silent for too long. */
  readonly signal: AbortSignal;
  /** What went wrong below the SDK, if anything did. */
  failure(): WireFailure | undefined;
  /** The last bytes of the answer, as text. */
  tail(): string;
}

/** The limit for the body of an error; providers describe a problem in a few hundred bytes. */
const FAULT_BYTES = 64 * 1024;

/** Enough for `data: [DONE]` and the line ends around it. */
const TAIL_BYTES = 32;

export function watchWire(deps: WireDeps, signal: AbortSignal): WatchedWire {
  const { clock, limits } = deps;
  const controller = new AbortController();
  let failed: WireFailure | undefined;
  let heardAtMs = clock.monotonicMs();
  let bytes = 0;
  let last = new Uint8Array(0);

  const fail = (failure: WireFailure): WireFailure => (failed ??= failure);
  const follow = (): void => controller.abort(abortReason(signal));
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow, { once: true });

  const watch = async (): Promise<void> => {
    for (;;) {
      const leftMs = heardAtMs + limits.silenceMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, controller.signal);
    }
    const seconds = Math.round(limits.silenceMs / 1_000);
    controller.abort(fail(new WireFailure("timeout", `it sent nothing for ${seconds} s`)));
  };
  // Ends when the wire is closed: the abort rejects the sleep.
  const watching = watch().catch(() => undefined);

  const note = (chunk: Uint8Array): void => {
    heardAtMs = clock.monotonicMs();
    bytes += chunk.length;
    if (bytes > limits.answerBytes) throw fail(new WireFailure("garbage", "it does not end"));
    last = joinTail(last, chunk);
  };

  return {
    signal: controller.signal,
    failure: () => failed,
    tail: () => new TextDecoder().decode(last),
    async fetch(input, init) {
      let response: Response;
      try {
        response = await deps.fetch(input, init);
      } catch (cause) {
        throw fail(new WireFailure("connection_failed", "", { cause }));
      }
      heardAtMs = clock.monotonicMs();
      const { status, headers } = response;
      if (response.ok && response.body !== null && !isDocument(headers)) {
        const body = tap(response.body, note, (cause) => fail(new WireFailure("stream_cut", "", { cause })));
        return new Response(body, { status, headers });
      }
      const text = response.body === null ? "" : await readBeginning(response.body, note);
      if (failed !== undefined) throw failed;
      throw fail(readRefusal({ status, headers, text, isOk: response.ok }, clock.now()));
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", follow);
      controller.abort();
      await watching;
    },
  };
}

/** The request asked for a stream and got a page or a document: another server or a proxy is in between. */
function isDocument(headers: Headers): boolean {
  return /^(?:text\/html|application\/json)\b/i.test(headers.get("content-type") ?? "");
}

/** What a provider says instead of an answer. Some report an error with a status of success. */
function readRefusal(
  given: {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    readonly isOk: boolean;
  },
  nowMs: number,
): WireFailure {
  const { status, headers, text, isOk } = given;
  if (!isOk) return classifyFault({ status, headers, body: text }, nowMs);
  if (isFault(parseJson(text))) return classifyFault({ headers, body: text }, nowMs);
  const type = headers.get("content-type") ?? "";
  const what = text === "" ? "an answer without a body" : `a document of type ${type}, not a stream`;
  return new WireFailure("garbage", what);
}

/** Reads as much as arrives: part of an error is better than none. */
async function readBeginning(
  body: ReadableStream<Uint8Array>,
  note: (chunk: Uint8Array) => void,
): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < FAULT_BYTES;) {
      const { done, value } = await reader.read();
      if (done) break;
      note(value);
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return text;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return text;
}

/** Passes the bytes on as they are requested; calls `failed` with an error before the reader sees it. */
function tap(
  body: ReadableStream<Uint8Array>,
  note: (chunk: Uint8Array) => void,
  failed: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          note(value);
          return controller.enqueue(value);
        } catch (cause) {
          failed(cause);
          await reader.cancel(cause).catch(() => undefined);
          return controller.error(cause);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function joinTail(last: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  if (chunk.length >= TAIL_BYTES) return chunk.slice(-TAIL_BYTES);
  const kept = last.subarray(Math.max(0, last.length + chunk.length - TAIL_BYTES));
  const joined = new Uint8Array(kept.length + chunk.length);
  joined.set(kept);
  joined.set(chunk, kept.length);
  return joined;
}
