import type { StatusFault } from "../fake/fake-wire.ts";
import type { FaultName } from "../fake/scripted-answer.ts";

export interface OpenAiFault extends StatusFault {
  readonly body: { readonly error: { readonly message: string; readonly code: string | null } };
}

/** `{error: {message, type, param, code}}`. */
export function openAiFault(
  status: number,
  code: string | null,
  message: string,
  type = "invalid_request_error",
): OpenAiFault {
  const error = { message, type, param: null, code };
  return { status, body: { error } };
}

export const responsesFaults = {
  wrong_key: openAiFault(401, "invalid_api_key", "Incorrect API key provided: sk-f***cdef."),
  forbidden: openAiFault(403, "unsupported_country_region_territory", "Not supported.", "request_forbidden"),
  unknown_model: openAiFault(400, "model_not_found", "The requested model 'gpt-unknown' does not exist."),
  no_credit: openAiFault(429, "insufficient_quota", "You exceeded your current quota.", "insufficient_quota"),
  rate_limited: openAiFault(429, "rate_limit_exceeded", "Rate limit reached for requests.", "requests"),
  overloaded: openAiFault(503, null, "The engine is currently overloaded.", "service_unavailable_error"),
  server_error: openAiFault(500, "server_error", "The server had an error.", "server_error"),
  timeout: openAiFault(504, null, "Timed out.", "timeout"),
  context_overflow: openAiFault(
    400,
    "context_length_exceeded",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ),
  output_limit: openAiFault(
    400,
    "integer_above_max_value",
    "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 640, but got 1000 instead.",
  ),
  bad_request: openAiFault(400, "invalid_value", "Invalid value: 'something'."),
  content_filter: openAiFault(
    400,
    "invalid_prompt",
    "Your prompt was flagged as violating our usage policy.",
  ),
} as const satisfies Record<FaultName, OpenAiFault>;
