import { CodedError } from "@deputy/kit";

export const modelErrorCodes = [
  "invalid_model_ref",
  "unknown_provider",
  "unknown_model",
  "missing_key",
  "wrong_key",
  "no_credit",
  "rate_limited",
  "overloaded",
  "context_overflow",
  "output_limit",
  "bad_request",
  "content_filter",
  "connection_failed",
  "stream_cut",
  "timeout",
  "garbage",
  "empty_answer",
] as const;
export type ModelErrorCode = (typeof modelErrorCodes)[number];

export class ModelError extends CodedError<ModelErrorCode> {
  /** How long the provider asked to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** True if a part of the answer was already passed on. */
  readonly output: "none" | "some";

  constructor(
    code: ModelErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hint?: string;
      readonly retryAfterMs?: number | undefined;
      readonly output?: "none" | "some";
    } = {},
  ) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
    this.output = options.output ?? "none";
  }
}
