import { CodedError } from "@deputy/kit";

/**
 * `not_taken`: the service did not take it, later it may. `not_accepted`: it takes nothing of the kind, or does not
 * accept what Deputy signs in with; sending it again does not help.
 */
export const channelFailureCodes = ["not_taken", "not_accepted"] as const;
export type ChannelFailureCode = (typeof channelFailureCodes)[number];

/** Why a channel did not send a message. */
export class ChannelFailure extends CodedError<ChannelFailureCode> {
  /** How long the service wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ChannelFailureCode,
    message: string,
    options: { readonly cause?: unknown; readonly hint?: string; readonly retryAfterMs?: number } = {},
  ) {
    const { retryAfterMs, ...more } = options;
    super(code, message, more);
    this.retryAfterMs = retryAfterMs;
  }
}
