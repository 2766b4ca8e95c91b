import type { FaultName } from "../fake/scripted-answer.ts";
import type { StatusFault } from "../fake/fake-wire.ts";

/** `{type: "error", error: {type, message}, request_id}`, as the API's page on errors documents it. */
export function anthropicFault(status: number, type: string, message: string, code?: string): StatusFault {
  const details = code === undefined ? {} : { details: { error_code: code } };
  return { status, body: { type: "error", error: { type, message, ...details }, request_id: "req_fake" } };
}

export const anthropicFaults = {
  wrong_key: anthropicFault(401, "authentication_error", "invalid bearer token"),
  forbidden: anthropicFault(403, "permission_error", "Your API key may not use the specified resource."),
  unknown_model: anthropicFault(404, "not_found_error", "model: claude-unknown"),
  no_credit: anthropicFault(402, "billing_error", "Your credit balance is too low."),
  rate_limited: anthropicFault(429, "rate_limit_error", "This request would exceed your rate limit."),
  overloaded: anthropicFault(529, "overloaded_error", "Overloaded"),
  server_error: anthropicFault(500, "api_error", "Internal server error"),
  timeout: anthropicFault(504, "timeout_error", "The request timed out while processing."),
  context_overflow: anthropicFault(
    400,
    "invalid_request_error",
    "prompt is too long: 213462 tokens > 200000 maximum",
  ),
  output_limit: anthropicFault(
    400,
    "invalid_request_error",
    "max_tokens: 1000 > 640, which is the maximum allowed number of output tokens for claude-fake",
  ),
  content_filter: anthropicFault(400, "invalid_request_error", "Output blocked by content filtering policy"),
  bad_request: anthropicFault(400, "invalid_request_error", "messages.0: something is wrong"),
} as const satisfies Record<FaultName, StatusFault>;
