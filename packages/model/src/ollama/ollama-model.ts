import type { Model, ModelRef } from "../model.ts";
import { createCallIds } from "../wire/call-id.ts";
import { parseJson } from "../wire/json.ts";
import { readLines } from "../wire/lines.ts";
import { classifyFault } from "../wire/provider-fault.ts";
import type { Provider } from "../wire/provider.ts";
import { streamAnswer } from "../wire/stream-answer.ts";
import { WireFailure } from "../wire/failure.ts";
import type { WatchedWire, WireDeps } from "../wire/watched-wire.ts";
import { createOllamaTranslator } from "./ollama-events.ts";
import { toOllamaRequest } from "./ollama-request.ts";

/** Ollama by its own API: its OpenAI-compatible one has no context size and forgets silently. */
export function createOllamaModel(
  deps: WireDeps,
  ref: ModelRef,
  provider: Provider,
  options: { readonly contextTokens: number },
): Model {
  return {
    ref,
    stream(request, signal) {
      const body = JSON.stringify(toOllamaRequest(ref.model, request, options.contextTokens));
      const open = (wire: WatchedWire) => send(wire, provider, body, deps.clock.now());
      const translator = createOllamaTranslator(createCallIds(request.messages), deps.clock.now);
      return streamAnswer(deps, { provider, open, translator }, signal);
    },
  };
}

async function send(
  wire: WatchedWire,
  provider: Provider,
  body: string,
  nowMs: number,
): Promise<AsyncIterable<unknown>> {
  const response = await wire.fetch(new URL("/api/chat", provider.baseUrl).href, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal: wire.signal,
  });
  if (!response.ok || response.body === null) {
    const { status, headers } = response;
    throw classifyFault({ status, headers, body: await response.text() }, nowMs);
  }
  return parseLines(response.body);
}

async function* parseLines(body: ReadableStream<Uint8Array>): AsyncGenerator {
  for await (const line of readLines(body)) {
    const value = parseJson(line);
    if (value === undefined) throw new WireFailure("garbage", "a line is not JSON");
    yield value;
  }
}
