import type { Model, ModelRef } from "./model.ts";
import { serverVariables } from "./model-ref.ts";
import { createOllamaModel } from "./ollama/ollama-model.ts";
import { OLLAMA_CONTEXT_TOKENS } from "./ollama/ollama-request.ts";
import { createChatModel } from "./openai-chat/chat-model.ts";
import { checkOwnKey } from "./wire/check-key.ts";
import { isObject, parseJson } from "./wire/json.ts";
import type { Provider } from "./wire/provider.ts";
import type { WireDeps } from "./wire/watched-wire.ts";
import { withVersion } from "./wire/with-version.ts";

export interface LocalSettings {
  /** With or without `/v1`. */
  readonly baseUrl?: string | undefined;
  /** For a server that requires one. */
  readonly apiKey?: string | undefined;
}

const OLLAMA_URL = "http://127.0.0.1:11434";
/** Ollama answers this at once, even when it is busy. */
const RECOGNISE_MS = 5_000;

/**
 * A server on this machine, in the local network, or anywhere. The first request finds out its kind: Ollama by its own
 * API; llama.cpp, LM Studio, vLLM and others by Chat Completions.
 */
export function createLocalModel(deps: WireDeps, ref: ModelRef, settings: LocalSettings): Model {
  const baseUrl = withVersion(settings.baseUrl || OLLAMA_URL);
  const provider: Provider = {
    name: ref.provider === "local" ? "The local server" : `The server “${ref.provider}”`,
    model: ref.model,
    baseUrl,
    ...serverVariables(ref.provider),
    place: ref.provider === "local" || isLoopback(baseUrl) ? "here" : "elsewhere",
  };
  const { apiKey } = settings;
  const chat = createChatModel(deps, ref, provider, { apiKey });
  const ollama = createOllamaModel(deps, ref, provider, {
    contextTokens: OLLAMA_CONTEXT_TOKENS,
    apiKey,
  });
  let known: Model | undefined;
  return {
    ref,
    async *stream(request, signal) {
      known ??= await recognise(deps, provider, apiKey, signal, { chat, ollama });
      // If the server is unreachable, the wire reports it, because it cannot reach it either.
      yield* (known ?? chat).stream(request, signal);
    },
  };
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? "");
}

async function recognise(
  deps: WireDeps,
  provider: Provider,
  key: string | undefined,
  signal: AbortSignal,
  models: { readonly chat: Model; readonly ollama: Model },
): Promise<Model | undefined> {
  const url = URL.parse("/api/version", provider.baseUrl);
  if (url === null || signal.aborted) return undefined;
  const closing = new AbortController();
  const stop = (): void => closing.abort();
  signal.addEventListener("abort", stop);
  const deadline = deps.clock.sleep(RECOGNISE_MS, closing.signal).then(stop, () => undefined);
  try {
    const { apiKey } = checkOwnKey(key);
    const headers: HeadersInit = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const response = await deps.fetch(url.href, { headers, signal: closing.signal });
    const answer = response.ok ? parseJson(await response.text()) : undefined;
    return isObject(answer) && typeof answer["version"] === "string" ? models.ollama : models.chat;
  } catch {
    return undefined;
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    await deadline;
  }
}
