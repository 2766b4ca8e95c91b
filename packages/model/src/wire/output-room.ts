import { ModelError } from "../model-error.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { WireFailure } from "./failure.ts";

/** How much a server would let the model write, according to its error. */
export interface OutputRoom {
  /** Undefined if it does not say. */
  readonly tokens: number | undefined;
  /** `model`: the most it ever writes. `context`: what the prompt leaves of the context. */
  readonly of: "model" | "context";
}

/** With less room than this, the prompt is too long. */
export const LEAST_OUTPUT_TOKENS = 256;

/** A server that does not count exactly may twice name a limit that is still too high. */
const MOST_LOWERINGS = 2;

/**
 * Repeats the request with less if the server names a lower limit: no part of an answer has arrived then. A
 * model's own limit is remembered.
 */
export function createOutputRoom(
  ask: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>,
): (request: ModelRequest, signal: AbortSignal) => AsyncGenerator<ModelEvent> {
  let most = Number.POSITIVE_INFINITY;
  return async function* askWithin(request, signal) {
    let maxOutputTokens = Math.min(request.maxOutputTokens, most);
    for (let lowered = 0; ; lowered++) {
      try {
        yield* ask({ ...request, maxOutputTokens }, signal);
        return;
      } catch (error) {
        const room = roomIn(error);
        if (room?.tokens === undefined || room.tokens >= maxOutputTokens || lowered === MOST_LOWERINGS)
          throw error;
        if (room.of === "model") most = room.tokens;
        maxOutputTokens = room.tokens;
      }
    }
  };
}

function roomIn(error: unknown): OutputRoom | undefined {
  if (!(error instanceof ModelError) || error.output === "some") return undefined;
  return error.cause instanceof WireFailure ? error.cause.outputRoom : undefined;
}

/** The model's own limit; each pattern ends in the number. */
const CAPS: readonly RegExp[] = [
  // Anthropic: “max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for …”
  /max_tokens: \d+ > (\d+)/,
  // OpenAI: “max_tokens is too large: 100000. This model supports at most 16384 completion tokens, …”
  /supports at most (\d+) (?:completion|output) tokens/,
  // OpenAI: “Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 128000, …”
  /max_(?:output_|completion_)?tokens'?:? integer above maximum value\. Expected a value <= (\d+)/,
  // Groq: “`max_tokens` must be less than or equal to `8192`, …”
  /max_(?:completion_)?tokens`? must be (?:less than or equal to|<=) `?(\d+)/,
  // DeepSeek: “Invalid max_tokens value, the valid range of max_tokens is [1, 8192]”
  /range of max_tokens is \[\d+, ?(\d+)\]/,
];

/** Prompt and answer together: the size of the context, and what the prompt takes of it. */
const SUMS: readonly (readonly [context: RegExp, prompt: RegExp])[] = [
  // Anthropic: “input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, …”
  [/context limit: \d+ \+ \d+ > (\d+)/, /context limit: (\d+) \+/g],
  // vLLM: “… maximum context length is 4096 tokens and your request has 808 input tokens (…)”, “… your
  // prompt contains at least 808 input tokens …”; OpenAI: “… (808 in the messages, 20 in the functions,
  // 8192 in the completion)”; SGLang: “… maximum context length of 4096 tokens. … 808 tokens from the input messages and …”
  [
    /maximum context length (?:is|of) (\d+)/,
    /(\d+) (?:input tokens|in (?:the messages|the functions|your prompt)|tokens from the input)/g,
  ],
  // TGI: “`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 800 `inputs` tokens and 8192 …”
  [/`max_new_tokens` must be <= (\d+)/, /Given: (\d+) `inputs` tokens/g],
];

/** In vLLM's words: “'max_tokens' or 'max_completion_tokens' is too large: 8192.” */
const TOO_LARGE = /max_(?:output_|completion_|new_)?tokens\W{0,3} is too large/;

/** Undefined if the words are about something else. */
export function readOutputRoom(words: string): OutputRoom | undefined {
  const cap = CAPS.map((pattern) => numberIn(words, pattern)).find((number) => number !== undefined);
  if (cap !== undefined) return { tokens: cap, of: "model" };
  for (const [context, prompt] of SUMS) {
    const all = numberIn(words, context);
    const taken = Array.from(words.matchAll(prompt), ([, digits]) => Number(digits));
    if (all === undefined || taken.length === 0) continue;
    const left = all - taken.reduce((sum, part) => sum + part, 0);
    return { tokens: Math.max(0, left), of: "context" };
  }
  return TOO_LARGE.test(words) ? { tokens: undefined, of: "model" } : undefined;
}

function numberIn(words: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(words) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
