import { CodedError } from "@deputy/kit";

/**
 * `not_sent`: the app did not take it, later it may. `unknown`: it may have taken it. `gone`: there is no such place or
 * message any more, or Deputy was put out of it. `refused`: the app takes nothing of the kind, or does not accept the
 * token.
 */
export const channelsErrorCodes = ["not_sent", "unknown", "gone", "refused"] as const;
export type ChannelsErrorCode = (typeof channelsErrorCodes)[number];

export class ChannelsError extends CodedError<ChannelsErrorCode> {
  /** How long the app wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ChannelsErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly hint?: string; readonly retryAfterMs?: number } = {},
  ) {
    const { retryAfterMs, ...more } = options;
    super(code, message, more);
    this.retryAfterMs = retryAfterMs;
  }
}
