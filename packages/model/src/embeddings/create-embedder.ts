import { abortReason } from "@deputy/kit";
import type { ModelDeps } from "../create-model.ts";
import type { ModelRef } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { checkKey, checkOwnKey } from "../wire/check-key.ts";
import { toModelError, WireFailure } from "../wire/failure.ts";
import { asObject, isObject, listIn, parseJson } from "../wire/json.ts";
import { classifyFault } from "../wire/provider-fault.ts";
import type { Provider } from "../wire/provider.ts";
import { withVersion } from "../wire/with-version.ts";

/** A model that turns texts into vectors. */
export interface TextEmbedder {
  /**
   * As many vectors as texts, in their order. May be called again. Rejects with a `ModelError`, or with the
   * signal's reason on abort.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** A search waits for it. */
const LONGEST_MS = 15_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_NUMBERS = 16_384;

/** The Embeddings API of OpenAI or of a local server, Ollama included. Throws `unknown_provider` for any other. */
export function createEmbedder(
  ref: ModelRef,
  deps: Pick<ModelDeps, "settings" | "fetch" | "clock">,
): TextEmbedder {
  const { provider, keyOf } = serviceOf(ref, deps);
  return {
    async embed(texts, signal) {
      if (signal.aborted) throw abortReason(signal);
      if (texts.length === 0) return [];
      const ending = new AbortController();
      const deadline = deps.clock.sleep(LONGEST_MS, ending.signal).then(
        () => ending.abort(new WireFailure("timeout", "")),
        () => undefined,
      );
      try {
        const both = AbortSignal.any([signal, ending.signal]);
        return await ask(deps, provider, keyOf(), texts, both);
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        throw toModelError(failureOf(ending.signal.aborted ? ending.signal.reason : error), provider, "none");
      } finally {
        ending.abort();
        await deadline;
      }
    },
  };
}

function serviceOf(
  { provider: name, model }: ModelRef,
  { settings }: Pick<ModelDeps, "settings">,
): { readonly provider: Provider; readonly keyOf: () => string | undefined } {
  if (name === "openai")
    return {
      provider: {
        name: "OpenAI",
        model,
        baseUrl: settings.openaiBaseUrl || "https://api.openai.com/v1",
        urlVariable: "OPENAI_BASE_URL",
        keyVariable: "OPENAI_API_KEY",
        place: "elsewhere",
      },
      keyOf: () => checkKey(settings.openaiApiKey),
    };
  if (name === "local")
    return {
      provider: {
        name: "The local server",
        model,
        baseUrl: withVersion(settings.localBaseUrl || "http://127.0.0.1:11434"),
        urlVariable: "DEPUTY_LOCAL_BASE_URL",
        keyVariable: "DEPUTY_LOCAL_API_KEY",
        place: "here",
      },
      keyOf: () => checkOwnKey(settings.localApiKey).apiKey,
    };
  throw new ModelError("unknown_provider", `“${name}” has no models for embeddings that can be used here`, {
    hint: "Use openai/… or local/….",
  });
}

async function ask(
  { fetch, clock }: Pick<ModelDeps, "fetch" | "clock">,
  { baseUrl, model }: Provider,
  key: string | undefined,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/embeddings`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
    redirect: "error",
    signal,
  });
  const text = await response.text();
  const { status, headers } = response;
  if (!response.ok) throw classifyFault({ status, headers, body: text }, clock.now());
  if (text.length > MOST_BYTES) throw new WireFailure("garbage", "it does not end");
  return readVectors(asObject(parseJson(text), "The answer"), texts.length);
}

/** In the order of the texts; the answer may have another order. */
function readVectors(
  answer: Readonly<Record<string, unknown>>,
  count: number,
): readonly (readonly number[])[] {
  const found = new Map<number, readonly number[]>();
  for (const item of listIn(answer, "data")) {
    const { index, embedding } = isObject(item) ? item : {};
    if (typeof index === "number" && isVector(embedding)) found.set(index, embedding);
  }
  const vectors = Array.from({ length: count }, (_, at) => found.get(at) ?? []);
  const [first = []] = vectors;
  if (first.length === 0 || vectors.some(({ length }) => length !== first.length))
    throw new WireFailure("garbage", "there is not one vector for each text");
  return vectors;
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length <= MOST_NUMBERS && value.every((each) => Number.isFinite(each));
}

function failureOf(error: unknown): WireFailure {
  return error instanceof WireFailure ? error : new WireFailure("connection_failed", "", { cause: error });
}
