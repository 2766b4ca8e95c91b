import type { OpenAI } from "openai";
import { isInBrowser } from "./in-browser.ts";
import type { WatchedWire } from "./watched-wire.ts";

/** The longest possible timer; the wire's own limit ends a request long before. */
const NEVER_MS = 2_147_483_647;

/** A client for one request. Without a key it sends no `Authorization`, even if the environment has one. */
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
    // The engine does retries, timeouts and logs.
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
