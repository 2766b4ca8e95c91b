import { CodedError } from "@deputy/kit";

export const codemodeErrorCodes = [
  "checker_busy",
  "checker_timeout",
  "checker_crashed",
  "not_erasable",
] as const;
export type CodemodeErrorCode = (typeof codemodeErrorCodes)[number];

export class CodemodeError extends CodedError<CodemodeErrorCode> {}
