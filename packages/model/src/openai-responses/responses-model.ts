import type { Model, ModelRef, ModelRequest } from "../model.ts";
import { createAskedEffort } from "../wire/asked-effort.ts";
import { checkKey } from "../wire/check-key.ts";
import { createOpenAiClient } from "../wire/openai-client.ts";
import { createOutputRoom } from "../wire/output-room.ts";
import type { Provider } from "../wire/provider.ts";
import { streamAnswer } from "../wire/stream-answer.ts";
import type { WatchedWire, WireDeps } from "../wire/watched-wire.ts";
import { createResponsesTranslator } from "./responses-events.ts";
import { toResponsesRequest } from "./responses-request.ts";

export interface OpenAiSettings {
  readonly apiKey: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** OpenAI's models over the Responses API. The SDK is loaded when the model is first asked. */
export function createResponsesModel(deps: WireDeps, ref: ModelRef, settings: OpenAiSettings): Model {
  const provider: Provider = {
    name: "OpenAI",
    model: ref.model,
    baseUrl: settings.baseUrl || "https://api.openai.com/v1",
    urlVariable: "OPENAI_BASE_URL",
    keyVariable: "OPENAI_API_KEY",
    place: "elsewhere",
  };
  const ask = (request: ModelRequest, signal: AbortSignal) => {
    const open = async (wire: WatchedWire): Promise<AsyncIterable<unknown>> => {
      const apiKey = checkKey(settings.apiKey);
      const client = await createOpenAiClient(wire, { baseUrl: provider.baseUrl, apiKey });
      return await client.responses.create(toResponsesRequest(ref.model, request), { signal: wire.signal });
    };
    const translator = createResponsesTranslator(ref.model, request, deps.clock.now);
    return streamAnswer(deps, { provider, request, open, translator }, signal);
  };
  return { ref, stream: createAskedEffort(createOutputRoom(ask)) };
}
