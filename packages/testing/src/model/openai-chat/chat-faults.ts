import type { StatusFault } from "../fake/fake-wire.ts";
import type { FaultName } from "../fake/scripted-answer.ts";

/** `{error: {message, type, param, code}}`, where vLLM puts the status into `code`. */
export function chatFault(status: number, type: string, message: string): StatusFault {
  return { status, body: { error: { message, type, param: null, code: status } } };
}

export const chatFaults = {
  wrong_key: { status: 401, body: { error: "Unauthorized" } },
  unknown_model: chatFault(404, "NotFoundError", "The model `unknown` does not exist."),
  rate_limited: chatFault(429, "rate_limit", "Too many requests."),
  overloaded: chatFault(503, "unavailable_error", "Loading model"),
  server_error: chatFault(500, "server_error", "Compute error."),
  context_overflow: chatFault(
    400,
    "BadRequestError",
    "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens.",
  ),
  output_limit: chatFault(
    400,
    "BadRequestError",
    "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 800 tokens and your request has 160 input tokens (1000 > 800 - 160).",
  ),
  bad_request: chatFault(
    400,
    "BadRequestError",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ),
} as const satisfies Partial<Record<FaultName, StatusFault>>;
