import type { Model, ModelRef, ModelRequest } from "../model.ts";
import { createAskedEffort } from "../wire/asked-effort.ts";
import { checkOwnKey } from "../wire/check-key.ts";
import { createOpenAiClient } from "../wire/openai-client.ts";
import { createOutputRoom } from "../wire/output-room.ts";
import type { Provider } from "../wire/provider.ts";
import { streamAnswer } from "../wire/stream-answer.ts";
import type { WatchedWire, WireDeps } from "../wire/watched-wire.ts";
import { createChatTranslator } from "./chat-events.ts";
import { toChatRequest } from "./chat-request.ts";

/** A server that speaks OpenAI's Chat Completions. It gets only its own key. The SDK is loaded on first use. */
export function createChatModel(
  deps: WireDeps,
  ref: ModelRef,
  provider: Provider,
  options: { readonly apiKey?: string | undefined } = {},
): Model {
  const ask = (request: ModelRequest, signal: AbortSignal) => {
    const open = async (wire: WatchedWire): Promise<AsyncIterable<unknown>> => {
      const key = checkOwnKey(options.apiKey);
      const client = await createOpenAiClient(wire, { baseUrl: provider.baseUrl, ...key });
      return await client.chat.completions.create(toChatRequest(ref.model, request), {
        signal: wire.signal,
      });
    };
    const translator = createChatTranslator(request, deps.clock.now);
    return streamAnswer(deps, { provider, request, open, translator }, signal);
  };
  return { ref, stream: createAskedEffort(createOutputRoom(ask)) };
}
