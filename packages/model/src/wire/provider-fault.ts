import { WireFailure } from "./failure.ts";
import { isObject, type JsonObject, parseJson, textIn } from "./json.ts";
import type { ModelErrorCode } from "../model-error.ts";
import { LEAST_OUTPUT_TOKENS, type OutputRoom, readOutputRoom } from "./output-room.ts";

/** An error as a provider reports it: by status and body, or by an event in the middle of a stream. */
export interface ProviderFault {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  /** JSON of any of the known shapes, or text. */
  readonly body: unknown;
}

/** Assigns codes to providers' errors. Only this file looks at their wording. */
export function classifyFault(fault: ProviderFault, nowMs: number): WireFailure {
  const facts = readFacts(fault.body);
  const status = fault.status ?? facts.status;
  const retryAfterMs = readRetryAfter(fault.headers, nowMs);
  const room = isRejection(status) ? readOutputRoom(facts.message) : undefined;
  const code =
    codeByRoom(room) ??
    codeByName(facts.names, EXACT) ??
    codeByWords(status, facts) ??
    codeByStatus(status, facts);
  const isUseful = room?.tokens !== undefined && room.tokens >= LEAST_OUTPUT_TOKENS;
  return new WireFailure(code, facts.message, {
    status,
    retryAfterMs,
    ...(isUseful && { outputRoom: room }),
  });
}

/** True if a document, or an event instead of an answer, reports an error. */
export function isFault(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { error } = value;
  const isNamed = value["object"] === "error" || value["type"] === "error";
  return isNamed || isObject(error) || (typeof error === "string" && error !== "");
}

interface Facts {
  /** `type` and `code` fields, Anthropic's `details.error_code` included. */
  readonly names: readonly string[];
  readonly message: string;
  /** The status that the body itself names; vLLM and OpenRouter put it into `code`. */
  readonly status: number | undefined;
}

/**
 * `{error: {type, message, code, details}}` (Anthropic, OpenAI, llama.cpp, vLLM), the same without the
 * envelope, `{error: "…"}` (Ollama, LM Studio, TGI), `{message}`, `{detail}`, or words.
 */
function readFacts(body: unknown): Facts {
  const outer = typeof body === "string" ? (parseJson(body) ?? body) : body;
  if (!isObject(outer)) return { names: [], message: readWords(outer), status: undefined };
  const inner = outer["error"];
  const error: JsonObject = isObject(inner) ? inner : outer;
  const details = isObject(error["details"]) ? error["details"] : {};
  const names = [textIn(details, "error_code"), textIn(error, "code"), textIn(error, "type")];
  const words = [inner, error["message"], outer["message"], outer["detail"]];
  return {
    names: names.filter((name) => name !== ""),
    message: words.map(readWords).find((text) => text !== "") ?? "",
    status: readStatus(error["code"]) ?? readStatus(outer["code"]),
  };
}

/** An HTML page says no more than its status. */
function readWords(value: unknown): string {
  return typeof value === "string" && !/^\s*</.test(value) ? value : "";
}

function readStatus(code: unknown): number | undefined {
  const number = typeof code === "string" ? Number(code) : code;
  return typeof number === "number" && number >= 400 && number < 600 ? number : undefined;
}

/** These are more specific than their status. */
const EXACT: Readonly<Record<string, ModelErrorCode>> = {
  // Anthropic
  request_too_large: "context_overflow",
  enforced_spend_limit_reached: "no_credit",
  // OpenAI
  invalid_api_key: "wrong_key",
  insufficient_quota: "no_credit",
  billing_hard_limit_reached: "no_credit",
  model_not_found: "unknown_model",
  context_length_exceeded: "context_overflow",
  rate_limit_exceeded: "rate_limited",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  invalid_prompt: "content_filter",
  bio_policy: "content_filter",
  misalignment_policy_violation: "content_filter",
  image_content_policy_violation: "content_filter",
  // llama.cpp
  exceed_context_size_error: "context_overflow",
};

/** These take the place of a status in the middle of a stream. */
const BROAD: Readonly<Record<string, ModelErrorCode>> = {
  authentication_error: "wrong_key",
  permission_error: "wrong_key",
  billing_error: "no_credit",
  not_found_error: "unknown_model",
  rate_limit_error: "rate_limited",
  timeout_error: "timeout",
  invalid_request_error: "bad_request",
};

function codeByName(names: readonly string[], table: Readonly<Record<string, ModelErrorCode>>) {
  return names.map((name) => (Object.hasOwn(table, name) ? table[name] : undefined)).find(Boolean);
}

/** A prompt that leaves no room for an answer is too long, whatever the server's message says. */
function codeByRoom(room: OutputRoom | undefined): ModelErrorCode | undefined {
  if (room === undefined) return undefined;
  const isFull = room.tokens !== undefined && room.tokens < LEAST_OUTPUT_TOKENS;
  return room.of === "context" || isFull ? "context_overflow" : "output_limit";
}

/**
 * Anthropic: “prompt is too long: 213462 tokens > 200000 maximum”, “… exceed context limit: …”. vLLM: “This
 * model's maximum context length is …”. llama.cpp and Ollama: “exceeds the available context size”, “the
 * input length exceeds the context length”. LM Studio: “… loaded with context length of only …”. TGI:
 * “`inputs` tokens + `max_new_tokens` must be <= …”, “`inputs` must have less than … tokens”.
 */
const OVERFLOW =
  /prompt is too long|context (?:length|size|window|limit)|maximum (?:context|model) length|`inputs` (?:tokens \+|must have)/i;

/** Anthropic reports both of these as an invalid request. */
const FILTERED = /blocked by (?:the |our )?content filter/i;

const UNPAID = /credit balance is too low/i;

function codeByWords(status: number | undefined, { message }: Facts): ModelErrorCode | undefined {
  if (!isRejection(status)) return undefined;
  if (FILTERED.test(message)) return "content_filter";
  if (UNPAID.test(message)) return "no_credit";
  return OVERFLOW.test(message) ? "context_overflow" : undefined;
}

function isRejection(status: number | undefined): boolean {
  return status === undefined || status === 400 || status === 422 || status === 500;
}

function codeByStatus(status: number | undefined, { names }: Facts): ModelErrorCode {
  if (status === undefined) return codeByName(names, BROAD) ?? "overloaded";
  if (status === 401 || status === 403) return "wrong_key";
  if (status === 402) return "no_credit";
  if (status === 404) return "unknown_model";
  if (status === 408 || status === 504) return "timeout";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limited";
  if (status === 409 || status >= 500) return "overloaded";
  return "bad_request";
}

/** The wait a provider asks for, from `retry-after-ms` or `retry-after` (seconds, or a date); never negative. */
function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = toNumber(headers?.get("retry-after-ms"));
  if (exact !== undefined) return Math.max(0, exact);
  const asked = headers?.get("retry-after");
  const seconds = toNumber(asked);
  if (seconds !== undefined) return Math.max(0, seconds * 1_000);
  const at = /[a-z]{3}/i.test(asked ?? "") ? Date.parse(asked ?? "") : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

function toNumber(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
