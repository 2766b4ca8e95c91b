import { CodedError } from "@deputy/kit";

export const sdkErrorCodes = [
  /** The deputy was closed before the run ended, or before it was asked. */
  "deputy_closed",
  "unknown_session",
  /** There is no open question with that id. */
  "unknown_approval",
  /** `approve` threw, or what it gave is no answer to the question. */
  "approval_failed",
  /** The run broke off, and the log could not take its end. */
  "run_interrupted",
] as const;
export type SdkErrorCode = (typeof sdkErrorCodes)[number];

export class SdkError extends CodedError<SdkErrorCode> {}

export function closedError(): SdkError {
  return new SdkError("deputy_closed", "This deputy is closed", {
    hint: "Make another with createDeputy; on the same home it goes on where this one stopped.",
  });
}
