import { expect, test } from "vitest";
import { classifyFault } from "./provider-fault.ts";

const NOW = Date.parse("2026-11-15T00:00:00Z");

/** Each server's own wording; the fakes have one each, these are the others. */
test.each([
  [
    400,
    { error: { message: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" } },
  ],
  [413, { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } }],
  [
    400,
    {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        code: "context_length_exceeded",
      },
    },
  ],
  [400, { object: "error", message: "This model's maximum context length is 4096 tokens.", code: 400 }],
  [
    400,
    {
      error: { message: "The decoder prompt (length 5000) is longer than the maximum model length of 4096." },
    },
  ],
  [
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size",
        type: "exceed_context_size_error",
      },
    },
  ],
  [500, { error: "request (302 tokens) exceeds the available context size (256 tokens), try increasing it" }],
  [400, { error: "The model is loaded with context length of only 4096 tokens, which is not enough." }],
  [
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
      error_type: "validation",
    },
  ],
  [422, { error: "Input validation error: `inputs` must have less than 1024 tokens. Given: 1500" }],
  [
    undefined,
    { type: "error", code: "context_length_exceeded", message: "Your input exceeds the context window" },
  ],
  [
    undefined,
    { type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 5 tokens > 4" } },
  ],
])("[W25] too long a conversation: %s %j", (status, body) => {
  expect(classifyFault({ status, body }, NOW).code).toBe("context_overflow");
});

test.each([
  [429, { error: { code: "insufficient_quota", type: "insufficient_quota", message: "" } }, "no_credit"],
  [
    429,
    { error: { type: "rate_limit_error", details: { error_code: "enforced_spend_limit_reached" } } },
    "no_credit",
  ],
  [403, { error: { code: "model_not_found", message: "no access" } }, "unknown_model"],
  [
    404,
    { error: { type: "api_error", message: 'model "x" not found, try pulling it first' } },
    "unknown_model",
  ],
  [408, "", "timeout"],
  [409, {}, "overloaded"],
  [502, "<html>Bad gateway</html>", "overloaded"],
  [422, { detail: [{ msg: "field required" }] }, "bad_request"],
  [418, null, "bad_request"],
  [undefined, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
  [undefined, { type: "error", error: { type: "authentication_error" } }, "wrong_key"],
  [undefined, { error: { code: "bio_policy", message: "" } }, "content_filter"],
  [undefined, "words", "overloaded"],
  [
    400,
    { error: { type: "invalid_request_error", message: "Output blocked by content filtering policy" } },
    "content_filter",
  ],
  [
    400,
    {
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API.",
      },
    },
    "no_credit",
  ],
  [undefined, { object: "error", message: "No such model", code: 404 }, "unknown_model"],
  [undefined, { error: { message: "Slow down", code: "429" } }, "rate_limited"],
] as const)("[W6] %s %j is %s", (status, body, code) => {
  expect(classifyFault({ status, body }, NOW).code).toBe(code);
});

test.each([
  [{ "retry-after": "Sun, 15 Nov 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Sat, 14 Nov 2026 00:00:30 GMT" }, 0],
  [{ "retry-after": "1.5" }, 1_500],
  [{ "retry-after": "-1" }, undefined],
  [{ "retry-after-ms": "20", "retry-after": "9" }, 20],
  [{}, undefined],
] as const)("[W6] %j asks for a wait of %s ms", (headers, waitMs) => {
  const failure = classifyFault({ status: 429, headers: new Headers(headers), body: {} }, NOW);
  expect(failure.retryAfterMs).toBe(waitMs);
});

test.each([
  [500, "<html><title>Bad gateway</title></html>", ""],
  [500, "CUDA out of memory", "CUDA out of memory"],
  [500, { error: "llama runner process has terminated" }, "llama runner process has terminated"],
  [
    400,
    { object: "error", message: "tool choice requires a flag", code: 400 },
    "tool choice requires a flag",
  ],
  [404, { detail: "Not Found" }, "Not Found"],
  [503, { error: { message: "Loading model", code: 503 } }, "Loading model"],
])("[W30] the words of %s %j are %j", (status, body, words) => {
  expect(classifyFault({ status, body: JSON.stringify(body) }, NOW).detail).toBe(words);
});
