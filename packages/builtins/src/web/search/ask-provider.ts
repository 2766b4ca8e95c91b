import type { GuardedFetch } from "@deputy/net";
import { ToolsError } from "@deputy/tools";
import { decodeText } from "../decode-text.ts";
import { readBody } from "../read-body.ts";

const MAX_BYTES = 2 * 1024 * 1024;
const REASONS: Readonly<Record<number, string>> = {
  202: "it takes Deputy for a machine; try later, or set another provider",
  400: "it does not take the question",
  401: "it refuses the key",
  402: "the plan does not cover it",
  403: "it refuses to answer; SearXNG must have `json` among its `search.formats`",
  404: "there is no search at that address",
  422: "it does not take the question or the key",
  429: "it was asked too often; wait a little",
};

/** What a provider answers. Rejects with `search_failed`, or as `fetch` does. */
export async function askText(
  fetch: GuardedFetch,
  provider: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  // To another place it would go without the key, and with the question.
  const response = await fetch(url, {
    headers,
    redirect: "error",
    signal,
  });
  const failed = failureOf(provider);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw failed(REASONS[response.status] ?? `it answers with the status ${response.status}`);
  }
  const { bytes, isWhole } = await readBody(response, MAX_BYTES, signal);
  if (!isWhole) throw failed("its answer is too long");
  return decodeText(bytes, response.headers.get("content-type") ?? "");
}

/** An answer's JSON. Rejects as `askText` does. */
export async function askJson(
  fetch: GuardedFetch,
  provider: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  const text = await askText(fetch, provider, url, { accept: "application/json", ...headers }, signal);
  try {
    return JSON.parse(text);
  } catch {
    throw failureOf(provider)("its answer is no JSON");
  }
}

/** A provider's failure, by what is wrong. */
export const failureOf =
  (provider: string) =>
  (why: string): ToolsError =>
    new ToolsError("search_failed", `${provider} does not help: ${why}`);
