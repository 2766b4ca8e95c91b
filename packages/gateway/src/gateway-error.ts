import { CodedError } from "@deputy/kit";

export const gatewayErrorCodes = [
  "invalid_request",
  "invalid_json",
  "invalid_cursor",
  "token_in_query",
  "unauthorized",
  "origin_not_allowed",
  "plugins_not_allowed",
  "not_found",
  "model_not_found",
  "not_available",
  "method_not_allowed",
  "request_timeout",
  "task_already_ended",
  "approval_already_resolved",
  "approval_expired",
  "run_failed",
  "run_aborted",
  "body_too_large",
  "unsupported_media_type",
  "host_not_allowed",
  "too_many_attempts",
  "too_many_deliveries",
  "headers_too_large",
  "too_many_streams",
  "too_many_connections",
  "too_many_subscriptions",
  "unknown_method",
  "shutting_down",
  "internal",
  "port_in_use",
  "cannot_listen",
  "not_loopback",
] as const;
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number];

/** The codes that `listen` rejects with. */
type StartErrorCode = "port_in_use" | "cannot_listen" | "not_loopback";
/** The codes that a request is answered with; `problem.ts` gives each its status. */
export type RequestErrorCode = Exclude<GatewayErrorCode, StartErrorCode>;

export class GatewayError extends CodedError<GatewayErrorCode> {
  /** Response headers that belong to this refusal, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The part of the request that it is about. */
  readonly field: string | undefined;

  constructor(
    code: GatewayErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hint?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly field?: string;
    } = {},
  ) {
    super(code, message, options);
    this.headers = options.headers ?? {};
    this.field = options.field;
  }
}
