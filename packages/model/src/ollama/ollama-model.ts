import type { Model, ModelRef, ModelRequest } from "../model.ts";
import { createAskedEffort } from "../wire/asked-effort.ts";
import { checkOwnKey } from "../wire/check-key.ts";
import { parseJson } from "../wire/json.ts";
import type { Provider } from "../wire/provider.ts";
import { streamAnswer } from "../wire/stream-answer.ts";
import { WireFailure } from "../wire/failure.ts";
import type { WatchedWire, WireDeps } from "../wire/watched-wire.ts";
import { createOllamaTranslator } from "./ollama-events.ts";
import { toOllamaRequest } from "./ollama-request.ts";

/** Ollama by its own API: its OpenAI-compatible API has no context size and drops text silently. */
export function createOllamaModel(
  deps: WireDeps,
  ref: ModelRef,
  provider: Provider,
  options: { readonly contextTokens: number; readonly apiKey?: string | undefined },
): Model {
  const ask = (request: ModelRequest, signal: AbortSignal) => {
    const body = JSON.stringify(toOllamaRequest(ref.model, request, options.contextTokens));
    const open = (wire: WatchedWire) => send(wire, provider, body, options.apiKey);
    const translator = createOllamaTranslator(request, deps.clock.now);
    return streamAnswer(deps, { provider, request, open, translator }, signal);
  };
  return { ref, stream: createAskedEffort(ask) };
}

async function send(
  wire: WatchedWire,
  provider: Provider,
  body: string,
  key: string | undefined,
): Promise<AsyncIterable<unknown>> {
  const { apiKey } = checkOwnKey(key);
  const response = await wire.fetch(new URL("/api/chat", provider.baseUrl).href, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body,
    signal: wire.signal,
  });
  return parseLines(response);
}

async function* parseLines({ body }: Response): AsyncGenerator {
  if (body === null) return;
  for await (const line of readLines(body)) {
    const value = parseJson(line);
    if (value === undefined) throw new WireFailure("garbage", "a line is not JSON");
    yield value;
  }
}

/** The non-blank lines of a UTF-8 stream, in any chunking; the last needs no line end. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line.trim() !== "") yield line;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
