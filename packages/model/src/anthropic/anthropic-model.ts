import type { Model, ModelRef, ModelRequest } from "../model.ts";
import { createAskedEffort } from "../wire/asked-effort.ts";
import { checkKey } from "../wire/check-key.ts";
import { isInBrowser } from "../wire/in-browser.ts";
import { createOutputRoom } from "../wire/output-room.ts";
import type { Provider } from "../wire/provider.ts";
import { streamAnswer } from "../wire/stream-answer.ts";
import type { WatchedWire, WireDeps } from "../wire/watched-wire.ts";
import { createAnthropicTranslator } from "./anthropic-events.ts";
import { type AnthropicRequest, toAnthropicRequest } from "./anthropic-request.ts";

export interface AnthropicSettings {
  readonly apiKey: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Claude over the Messages API. The SDK is loaded when the model is first asked. */
export function createAnthropicModel(deps: WireDeps, ref: ModelRef, settings: AnthropicSettings): Model {
  const provider: Provider = {
    name: "Anthropic",
    model: ref.model,
    baseUrl: settings.baseUrl || "https://api.anthropic.com",
    urlVariable: "ANTHROPIC_BASE_URL",
    keyVariable: "ANTHROPIC_API_KEY",
    place: "elsewhere",
  };
  const ask = (request: ModelRequest, signal: AbortSignal) => {
    const made = toAnthropicRequest(ref.model, request);
    const open = (wire: WatchedWire) => send(wire, provider, settings.apiKey, made);
    const translator = createAnthropicTranslator(made.bound, request);
    return streamAnswer(deps, { provider, request, open, translator }, signal);
  };
  return { ref, stream: createAskedEffort(createOutputRoom(ask)) };
}

async function send(
  wire: WatchedWire,
  provider: Provider,
  key: string | undefined,
  { params }: AnthropicRequest,
): Promise<AsyncIterable<unknown>> {
  const apiKey = checkKey(key);
  const { Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    apiKey,
    baseURL: provider.baseUrl,
    fetch: wire.fetch,
    // The engine does retries, timeouts, logs and spans.
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    openTelemetry: false,
    dangerouslyAllowBrowser: isInBrowser(),
  });
  return await client.messages.create(params, { signal: wire.signal });
}

/** The longest possible timer; the wire's own limit ends a request long before. */
const NEVER_MS = 2_147_483_647;
