import { CodedError } from "@deputy/kit";

export const sdkErrorCodes = [
  /** The deputy was closed before the run ended, or before the request. */
  "deputy_closed",
  "unknown_session",
  /** There is no open question with that id. */
  "unknown_approval",
  /** `approve` threw, or returned an invalid answer. */
  "approval_failed",
  /** The run broke off, and its end could not be written to the log. */
  "run_interrupted",
] as const;
export type SdkErrorCode = (typeof sdkErrorCodes)[number];

export class SdkError extends CodedError<SdkErrorCode> {}

export function closedError(): SdkError {
  return new SdkError("deputy_closed", "This deputy is closed", {
    hint: "Make another with createDeputy; on the same home it continues where this one stopped.",
  });
}
