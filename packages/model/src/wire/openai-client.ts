import type { OpenAI } from "openai";
import { isInBrowser } from "./in-browser.ts";
import type { WatchedWire } from "./watched-wire.ts";

/** The longest a timer takes; the wire's own limit ends a request long before. */
const NEVER_MS = 2_147_483_647;

/** A client for one request. Without a key no `Authorization` is sent, whatever the environment holds. */
export async function createOpenAiClient(
  wire: WatchedWire,
  options: { readonly baseUrl: string; readonly apiKey?: string },
): Promise<OpenAI> {
  const { OpenAI: Client } = await import("openai");
  return new Client({
    apiKey: options.apiKey ?? "none",
    adminAPIKey: null,
    baseURL: options.baseUrl,
    fetch: wire.fetch,
    // Retries, timeouts and logs are the engine's.
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    dangerouslyAllowBrowser: isInBrowser(),
    ...(options.apiKey === undefined && {
      defaultHeaders: { Authorization: null },
      organization: null,
      project: null,
    }),
  });
}
