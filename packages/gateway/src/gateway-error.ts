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
  "method_not_allowed",
  "request_timeout",
  "task_already_ended",
  "approval_already_resolved",
  "approval_expired",
  "body_too_large",
  "unsupported_media_type",
  "host_not_allowed",
  "too_many_attempts",
  "headers_too_large",
  "too_many_streams",
  "shutting_down",
  "internal",
  "port_in_use",
  "cannot_listen",
  "not_loopback",
] as const;
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number];

/** What `listen` rejects with. */
type StartErrorCode = "port_in_use" | "cannot_listen" | "not_loopback";
/** What a request is answered with; `problem.ts` gives each its status. */
export type RequestErrorCode = Exclude<GatewayErrorCode, StartErrorCode>;

export class GatewayError extends CodedError<GatewayErrorCode> {
  /** Response headers that belong to this refusal, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: GatewayErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hint?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(code, message, options);
    this.headers = options.headers ?? {};
  }
}
