import type { Model, ModelRef } from "../model.ts";
import { createCallIds } from "../wire/call-id.ts";
import { createOpenAiClient } from "../wire/openai-client.ts";
import type { Provider } from "../wire/provider.ts";
import { streamAnswer } from "../wire/stream-answer.ts";
import type { WatchedWire, WireDeps } from "../wire/watched-wire.ts";
import { createChatTranslator } from "./chat-events.ts";
import { toChatRequest } from "./chat-request.ts";

/** A server that speaks OpenAI's Chat Completions. It is sent no key. The SDK is loaded on first use. */
export function createChatModel(deps: WireDeps, ref: ModelRef, provider: Provider): Model {
  return {
    ref,
    stream(request, signal) {
      const open = async (wire: WatchedWire): Promise<AsyncIterable<unknown>> => {
        const client = await createOpenAiClient(wire, { baseUrl: provider.baseUrl });
        return await client.chat.completions.create(toChatRequest(ref.model, request), {
          signal: wire.signal,
        });
      };
      const translator = createChatTranslator(createCallIds(request.messages));
      return streamAnswer(deps, { provider, open, translator }, signal);
    },
  };
}
